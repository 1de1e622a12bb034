import HostProcess
import IngestCommand

HostProcess.openStandardStreams()
HostProcess.ignoreWriteSignals()
HostProcess.keepEndedChildren()

if let code = DecodeWorkerCommand.run(HostProcess.arguments) { HostProcess.exit(code) }

switch Command.run(.process) {
case .code(let code): HostProcess.exit(code)
case .signal(let number): HostProcess.dieBySignal(number)
}
