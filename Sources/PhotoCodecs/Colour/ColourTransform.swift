import CLCMS

/// Converts samples of one kind to sRGB by Little CMS: relative colorimetric, no black point compensation.
///
/// Has a Little CMS context of its own, whose errors go nowhere: what cannot be read or linked is nil. Not for two
/// threads at once.
@safe final class ColourTransform {
  /// Owned, as is the context; both are freed in `deinit`, the transform first.
  private let transform: cmsHTRANSFORM
  private let context: cmsContext
  private let samplesPerPixel: Int

  /// A profile as it stands in a file; nil when it cannot be read, is of a kind that describes no picture, or is for
  /// another kind of samples than `layout`.
  convenience init?(icc: [UInt8], layout: RowLayout) {
    unsafe self.init(layout: layout) { context in
      let profile = unsafe icc.withUnsafeBytes {
        unsafe cmsOpenProfileFromMemTHR(context, $0.baseAddress, cmsUInt32Number($0.count))
      }
      guard let profile = unsafe profile else { return nil }
      let describesPictures = unsafe [
        cmsSigInputClass, cmsSigDisplayClass, cmsSigOutputClass, cmsSigColorSpaceClass,
      ].contains(cmsGetDeviceClass(profile))
      guard describesPictures, unsafe cmsGetColorSpace(profile) == layout.colourSpace else {
        unsafe cmsCloseProfile(profile)
        return nil
      }
      return unsafe profile
    }
  }

  /// The colours of a PNG's gAMA and cHRM; nil for inks.
  convenience init?(png: PNGColour, layout: RowLayout) {
    unsafe self.init(layout: layout) { context in
      guard layout != .cmyk, let curve = unsafe cmsBuildGamma(context, 1 / png.gamma) else { return nil }
      defer { unsafe cmsFreeToneCurve(curve) }
      let points = png.chromaticities.map { cmsCIExyY(x: $0.x, y: $0.y, Y: 1) }
      var white = points[0]
      if layout == .gray { return unsafe cmsCreateGrayProfileTHR(context, &white, curve) }
      var primaries = cmsCIExyYTRIPLE(Red: points[1], Green: points[2], Blue: points[3])
      var curves: [OpaquePointer?] = unsafe [curve, curve, curve]
      return unsafe cmsCreateRGBProfileTHR(context, &white, &primaries, &curves)
    }
  }

  private init?(layout: RowLayout, opening open: (cmsContext) -> cmsHPROFILE?) {
    guard let context = unsafe cmsCreateContext(nil, nil) else { return nil }
    unsafe cmsSetLogErrorHandlerTHR(context) { _, _, _ in }
    let made = unsafe ColourTransform.link(open(context), to: cmsCreate_sRGBProfileTHR(context), layout, context)
    guard let transform = unsafe made else {
      unsafe cmsDeleteContext(context)
      return nil
    }
    unsafe self.context = unsafe context
    unsafe self.transform = unsafe transform
    samplesPerPixel = layout.samplesPerPixel
  }

  deinit {
    unsafe cmsDeleteTransform(transform)
    unsafe cmsDeleteContext(context)
  }

  /// Three samples for each pixel of `samples`.
  func apply(to samples: [UInt8]) -> [UInt8] {
    let pixels = samples.count / samplesPerPixel
    return unsafe [UInt8](unsafeUninitializedCapacity: pixels * 3) { target, count in
      unsafe samples.withUnsafeBytes { source in
        unsafe cmsDoTransform(transform, source.baseAddress, target.baseAddress, cmsUInt32Number(pixels))
      }
      count = pixels * 3
    }
  }

  /// Links two profiles and closes them both.
  private static func link(
    _ source: cmsHPROFILE?, to target: cmsHPROFILE?, _ layout: RowLayout, _ context: cmsContext
  ) -> cmsHTRANSFORM? {
    defer {
      if let source = unsafe source { unsafe cmsCloseProfile(source) }
      if let target = unsafe target { unsafe cmsCloseProfile(target) }
    }
    guard let source = unsafe source, let target = unsafe target else { return nil }
    // TYPE_RGB_8 and its like: the macros that build them do not come through to Swift.
    let rgb = UInt32(PT_RGB) << 16 | 3 << 3 | 1
    return unsafe cmsCreateTransformTHR(
      context, source, layout.sampleFormat, target, rgb, UInt32(INTENT_RELATIVE_COLORIMETRIC), 0)
  }
}

extension RowLayout {
  fileprivate var colourSpace: cmsColorSpaceSignature {
    switch self {
    case .gray: cmsSigGrayData
    case .rgb: cmsSigRgbData
    case .cmyk: cmsSigCmykData
    }
  }

  /// TYPE_GRAY_8, TYPE_RGB_8 or TYPE_CMYK_8 (full ink is 255).
  fileprivate var sampleFormat: UInt32 {
    let colour =
      switch self {
      case .gray: PT_GRAY
      case .rgb: PT_RGB
      case .cmyk: PT_CMYK
      }
    return UInt32(colour) << 16 | UInt32(samplesPerPixel) << 3 | 1
  }
}
