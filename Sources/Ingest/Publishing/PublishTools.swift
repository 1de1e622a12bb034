import HostProcess
import IngestCore
import Publishing

/// What all albums of one publication share.
struct PublishTools: Sendable {
  let target: any UploadTarget
  let texts: PublishConfiguration.Texts
  let uploader: Uploader
  let postHeaders: [HeaderTemplate]

  init(_ configuration: PublishConfiguration) throws(RunError) {
    do {
      target = try configuration.makeTarget()
      texts = try configuration.makeTexts()
      postHeaders = try configuration.postHeaders()
      var rules = RetryRules()
      rules.tries = configuration.upload.tries
      rules.longestWait = configuration.upload.longestWait
      let (allowsHTTP, authorities, stall) = (
        configuration.allowsHTTP, configuration.authorities, configuration.upload.stall
      )
      uploader = Uploader(
        client: HTTPClient(), target: target, tokens: try configuration.makeTokens(),
        atOnce: configuration.upload.concurrency, rules: rules, now: { Int64(HostProcess.secondsSince1970) },
        prepare: { request in
          request.allowsHTTP = allowsHTTP
          request.authorities = authorities
          request.limits.stall = stall
          request.redirections = 5
          request.answerLimit = 1 << 16
        })
    } catch {
      throw .publishingUnusable(error)
    }
  }
}
