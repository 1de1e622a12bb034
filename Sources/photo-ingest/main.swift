import HostProcess
import IngestCommand

HostProcess.openStandardStreams()
HostProcess.ignoreWriteSignals()

switch Command.run(.process) {
case .code(let code): HostProcess.exit(code)
case .signal(let number): HostProcess.dieBySignal(number)
}
