import IngestCore
import IngestFiles
import PhotoCodecs

/// Is the work of one loader thread: takes tickets until there are none, or until it has nothing to decode with.
struct LoaderThread: Sendable {
  let request: DecodeRequest
  let timeout: Duration
  let place: DecodingPlace
  let queue: TicketQueue
  let crew: LoaderCrew
  let threads: Int

  /// Works on the calling thread, with which its decoder process would die; until the queue ends, or until another thread
  /// has taken the seat.
  func run(_ seat: LoaderSeat) {
    let decoding = place.decoding(request, timeout: timeout)
    let work = PhotoLoad(request: request, timeout: timeout, decoding: decoding)
    // Whoever decodes ahead begins the next photo before the last one is written up, so that no decoder waits for a disk.
    // Both look no further than the folder at hand: a dead mount must not hold up another folder's photo.
    var ahead: LoadTicket?
    var row = 0
    while true {
      if ahead == nil { row = 0 }
      guard let ticket = ahead.take() ?? queue.next() else { return }
      row += 1
      if ticket.site.isLost {
        answerUnread(ticket)
        continue
      }
      let ending: LoadEvent<PhotoPreview, LoadedPhoto>
      do throws(DecodingUnavailable) {
        try decoding.prepare { ticket.isCancelled }
        // From here on files of the folder are waited for; a decoder that is slow to start is not its fault.
        seat.begin(at: ticket.site)
        ending = work.run(ticket) {
          if let next = queue.upcoming(at: ticket.site, within: threads), !next.asset.isInCloud {
            next.site.folder.expect(next.asset.path)
          }
        } whenDecoded: {
          guard decoding.decodesAhead, let next = queue.nextIfWaiting(at: ticket.site, taken: row) else { return }
          ahead = next
          work.begin(next)
        }
      } catch {
        guard let answer = answerWithoutDecoder(ticket, error) else {
          // Nobody is to take the seat of a thread that has left.
          _ = seat.end()
          return queue.putBack(ticket)
        }
        ending = answer
      }
      // Writing is no loading: it may take as long as the disk does.
      let isWanted = seat.end()
      let mayWrite = ticket.site.finish(ticket)
      ticket.send(ending)
      if let deposit = ending.photo?.deposit {
        // The run is over for whoever was left behind; the folder may be another one's by now.
        if mayWrite { deposit.write() } else { deposit.drop() }
      }
      ticket.site.leave()
      guard isWanted else {
        if let ahead { queue.putBack(ahead) }
        return
      }
    }
  }

  /// Ends a ticket of a folder over which a thread hangs, without a look at its file.
  ///
  /// Not as `timeout`, which would stand until the limit is another one: nothing was read, and the next run is to try.
  func answerUnread(_ ticket: LoadTicket) {
    _ = ticket.site.finish(ticket)
    let failure = LoadFailure(.unreadable, "its source folder does not answer any more; the photo was not opened")
    ticket.send(ticket.isCancelled ? .cancelled : .failed(failure, salvage: nil))
    ticket.site.leave()
  }

  /// How a ticket ends on a thread that has no decoder; nil when the others take it and this thread is to end.
  private func answerWithoutDecoder(
    _ ticket: LoadTicket, _ error: DecodingUnavailable
  ) -> LoadEvent<PhotoPreview, LoadedPhoto>? {
    if ticket.isCancelled { return .cancelled }
    let isLast = !crew.leave()
    place.lostDecoder(error.reason, wasLast: isLast)
    return isLast ? .failed(LoadFailure(.decoderCrashed, error.reason), salvage: nil) : nil
  }
}

extension LoadEvent<PhotoPreview, LoadedPhoto> {
  /// What is known of the original at its ending.
  fileprivate var photo: LoadedPhoto? {
    switch self {
    case .final(let photo), .failed(_, .some(let photo)): photo
    case .failed(_, nil), .degraded, .cancelled: nil
    }
  }
}
