/// Converts small pictures to sRGB, and remembers the last conversion: photos of one folder mostly share a profile.
///
/// Not for two threads at once: every thread that makes pictures has one of its own.
final class ColourConverter {
  /// Profiles beyond this many bytes are ignored; the largest real ones have 2-3 MB.
  static let largestProfile = 16 << 20
  /// The note on a file whose statement about its colours could not be used, or not wholly.
  static let profileIgnored = "profile-ignored"

  private struct Recipe {
    let colour: SourceColour
    let layout: RowLayout
    let conversion: Conversion
    let notes: Set<String>
  }

  private var last: Recipe?

  init() {}

  /// The picture in sRGB with three samples a pixel, or with one where the source is gray and stays neutral; and what
  /// there is to note. A faulty profile is never an error: the layout's default takes its place.
  func convert(_ raster: Raster, layout: RowLayout, colour: SourceColour) -> (Raster, notes: Set<String>) {
    let recipe: Recipe
    if let last, last.layout == layout, last.colour == colour {
      recipe = last
    } else {
      let (conversion, notes) = ColourConverter.choose(colour, layout)
      recipe = Recipe(colour: colour, layout: layout, conversion: conversion, notes: notes)
      last = recipe
    }
    return (recipe.conversion.apply(to: raster), recipe.notes)
  }

  /// The first statement, in the order of the PNG standard, that can be used.
  private static func choose(_ colour: SourceColour, _ layout: RowLayout) -> (Conversion, Set<String>) {
    var notes: Set<String> = []
    if let icc = colour.icc {
      if icc.count <= largestProfile, let transform = ColourTransform(icc: icc, layout: layout) {
        return (Conversion(transform, layout), notes)
      }
      notes.insert(profileIgnored)
    }
    if !colour.hasSRGBChunk {
      let (png, isDoubtful) = PNGColour.read(gamma: colour.pngGamma, chromaticities: colour.pngChromaticities)
      if isDoubtful { notes.insert(profileIgnored) }
      if let png, !png.isSRGB, layout != .cmyk {
        if let transform = ColourTransform(png: png, layout: layout) { return (Conversion(transform, layout), notes) }
        notes.insert(profileIgnored)
      }
    }
    return (layout == .cmyk ? .inks : .nothing, notes)
  }
}
