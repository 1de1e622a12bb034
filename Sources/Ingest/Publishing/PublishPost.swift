import IngestCore
import IngestFiles
import Publishing

/// Whether the list was posted.
enum PublishPosting: Sendable {
  /// None was asked for.
  case none
  case now
  case before
}

/// Makes the ordered list and posts it, once.
///
/// The key of idempotency is the checksum of the body: it stays the same over tries and runs, so a server can tell that
/// a list comes again. A list that may have arrived without an answer is left to the next run.
struct PublishPost: Sendable {
  /// Of a photo that the manifest has nothing against.
  static let notUp = "it could not be published"

  private let post: PublishConfiguration.Post
  private let tools: PublishTools

  init(_ post: PublishConfiguration.Post, _ tools: PublishTools) {
    self.post = post
    self.tools = tools
  }

  func send(
    _ plan: PublishPlan, _ report: SlotReport<UploadEnd, UploadFault>, _ journal: PublishJournal, again: Bool,
    _ done: @escaping RequestCompletion<PublishPosting, UploadFault>
  ) -> RequestCancel? {
    let body = body(plan, report)
    let key = SHA256Digest.hex(of: body)
    let memory = SHA256Digest.hex(of: Array(post.url.utf8) + [0] + body)
    if !again, journal.wasPosted(memory) {
      done(.success(.before))
      return nil
    }
    let usesToken = tools.postHeaders.contains(where: \.usesToken)
    let stop = PostStop()
    let attempt = PostAttempt(
      post: post, headers: tools.postHeaders, body: body, key: key, uploader: tools.uploader, stop: stop,
      canRenew: usesToken
    ) { outcome in
      if case .success = outcome { journal.notePost(memory) }
      done(outcome.map { .now })
    }
    attempt.start()
    return { stop.cancel() }
  }

  /// The body, with the list in the order of the manifest: never shifted, a photo that is not up stated in its place.
  func body(_ plan: PublishPlan, _ report: SlotReport<UploadEnd, UploadFault>) -> [UInt8] {
    var content: [JSONValue] = []
    content.reserveCapacity(plan.photos.count)
    for (photo, slot) in zip(plan.photos, report.slots) {
      switch slot {
      case .success:
        let address = tools.texts.address.text { photo.text($0) }
        content.append(tools.texts.item.value { photo.text($0, address: address) })
      case .failure:
        // Only what the manifest says. What went wrong today would make another list of the same photos tomorrow.
        content.append(
          .object([
            JSONMember("error", .string(photo.reason ?? Self.notUp)), JSONMember("index", .integer(Int64(photo.index))),
            JSONMember("path", .string(photo.path.display)),
          ]))
      }
    }
    var writer = JSONWriter()
    writer.value(Self.filled(post.body, .array(content)))
    return writer.bytes
  }

  private static func filled(_ value: JSONValue, _ content: JSONValue) -> JSONValue {
    switch value {
    case .string("{content}"): content
    case .array(let elements): .array(elements.map { filled($0, content) })
    case .object(let members): .object(members.map { JSONMember($0.key, filled($0.value, content)) })
    default: value
    }
  }
}

/// Stops a post, whatever it is waiting for.
final class PostStop: Sendable {
  private let state = Guarded<(isCancelled: Bool, cancel: RequestCancel?)>((false, nil))

  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  func hold(_ cancel: @escaping RequestCancel) {
    let mustCancel = state.withLock { state in
      state.cancel = cancel
      return state.isCancelled
    }
    if mustCancel { cancel() }
  }

  func cancel() {
    let cancel = state.withLock { state in
      state.isCancelled = true
      return state.cancel.take()
    }
    cancel?()
  }
}

/// Sends the post; with a new token once more when the first one is no longer good.
private struct PostAttempt: Sendable {
  let post: PublishConfiguration.Post
  let headers: [HeaderTemplate]
  let body: [UInt8]
  let key: String
  let uploader: Uploader
  let stop: PostStop
  var canRenew: Bool
  let done: RequestCompletion<Void, UploadFault>

  func start() {
    guard headers.contains(where: \.usesToken) else {
      send(.none)
      return
    }
    uploader.fetchToken { outcome in
      switch outcome {
      case .success(let token): send(token)
      case .failure(let failure): done(.failure(failure))
      }
    }
  }

  private func send(_ token: UploadToken) {
    guard !stop.isCancelled else {
      done(.failure(.cancelled))
      return
    }
    var request = HTTPRequest(post.method, post.url, body: HTTPBody(body))
    do {
      for template in headers { request.headers.append(try template.header(token)) }
    } catch {
      fail(error.reason)
      return
    }
    request.headers.append(HTTPHeader("Content-Type", "application/json"))
    request.headers.append(HTTPHeader("Idempotency-Key", key))
    request.limits.total = .seconds(300)
    stop.hold(
      uploader.post(request) { outcome in
        switch outcome {
        case .success(let answer) where answer.isSuccess: done(.success(()))
        case .success(let answer) where answer.status == 401 && canRenew: renew()
        case .success(let answer): fail("the server answers \(answer.status)")
        case .failure(.reported(let failure)): fail(failure.reason)
        case .failure(.cancelled): done(.failure(.cancelled))
        case .failure(let other): fail("\(other)")
        }
      })
  }

  private func renew() {
    var again = self
    again.canRenew = false
    let second = again
    uploader.renewToken { outcome in
      switch outcome {
      case .success(let token): second.send(token)
      case .failure(let failure): done(.failure(failure))
      }
    }
  }

  private func fail(_ reason: String) {
    done(.failure(.reported(UploadFault(reason, isPending: true))))
  }
}
