internal import CPhotoCodecs

/// Ends a decode from another thread, or when its time is over. The decoders look at it every few rows.
///
/// `@unchecked Sendable`: the C flag behind it is atomic.
@safe public final class Cancellation: @unchecked Sendable {
  let flag: OpaquePointer

  public init() {
    guard let flag = unsafe pc_cancel_flag_create() else { preconditionFailure("there is no memory for a flag") }
    unsafe self.flag = flag
  }

  deinit {
    unsafe pc_cancel_flag_destroy(flag)
  }

  /// Ends the decode soon.
  public func cancel() { unsafe pc_cancel_flag_set(flag) }

  /// Ends the decode by itself when this much time is over, counted from now.
  public func setTimeLimit(_ limit: Duration) {
    let (seconds, attoseconds) = limit.components
    let whole = UInt64(clamping: seconds).multipliedReportingOverflow(by: 1_000_000_000)
    unsafe pc_cancel_flag_set_time_left(
      flag, whole.overflow ? .max : whole.partialValue &+ UInt64(clamping: attoseconds / 1_000_000_000))
  }

  /// Whether the time is over.
  public var isLate: Bool { unsafe pc_cancel_flag_is_late(flag) }

  /// Whether it was cancelled or its time is over.
  public var isCancelled: Bool { unsafe pc_cancel_flag_is_set(flag) }
}
