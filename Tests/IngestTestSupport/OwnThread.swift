import Foundation

/// Runs blocking code on a thread made for it, so that no thread of the task pool is ever blocked by a test.
public func onOwnThread<Value: Sendable, Failure: Error>(
  _ body: @escaping @Sendable () throws(Failure) -> Value
) async throws(Failure) -> Value {
  let result = await withCheckedContinuation { continuation in
    Thread.detachNewThread { continuation.resume(returning: Result(catching: body)) }
  }
  return try result.get()
}
