// HostProcess: furnished next.
