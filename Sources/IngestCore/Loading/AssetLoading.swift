/// Answers requests for pictures through a callback that may come twice: a degraded stand-in, then the original.
///
/// The contract of the callback:
/// - It comes with the request's id, on any thread, and may come before `requestImage` has returned.
/// - At most one `degraded` event, before the ending; none when no stand-in is at hand, and none after the ending.
/// - Exactly one terminal event, whatever happens: success, failure, cancellation, a remote original with the network
///   off. Nothing follows it.
/// - A caller must not rely on there being two callbacks; it waits for the terminal one.
public protocol AssetLoading: Sendable {
  associatedtype Preview: Sendable
  associatedtype Original: Sendable

  typealias ResultHandler = @Sendable (ImageRequestID, LoadEvent<Preview, Original>) -> Void

  /// Starts a load and returns at once. Requests are begun in the order in which they were made.
  ///
  /// Must not wait for a load: whoever asks may be the one thread that takes the results.
  func requestImage(
    for asset: Asset, options: ImageRequestOptions, resultHandler: @escaping ResultHandler
  ) -> ImageRequestID

  /// Asks the loader to give a request up. Its handler hears `cancelled`, unless it has already heard its ending.
  ///
  /// Returns at once, may be called from any thread, and does nothing for an id that is unknown or over.
  func cancelImageRequest(_ id: ImageRequestID)
}
