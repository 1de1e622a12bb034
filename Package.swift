// swift-tools-version: 6.2
// The house of photo-ingest: one target a room, arrows one way (docs/architecture.md holds the table that CI checks).
import PackageDescription

let swiftSettings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

let cSettings: [CSetting] = [
  .enableWarning("all"),
  .enableWarning("extra"),
  .treatAllWarnings(as: .error),
]

/// A C library of the system, found by pkg-config.
func library(_ name: String, _ pkgConfig: String, _ package: String) -> Target {
  .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([package])])
}

/// A Swift room of the house.
func room(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: swiftSettings)
}

/// The tests of one room; every one may use the test support.
func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(
    name: name, dependencies: dependencies + ["IngestTestSupport"], swiftSettings: swiftSettings)
}

let package = Package(
  name: "photo-ingest",
  products: [
    .executable(name: "photo-ingest", targets: ["photo-ingest"]),
    .library(name: "Ingest", targets: ["Ingest", "IngestCore", "IngestFiles", "PhotoCodecs", "Workers"]),
  ],
  targets: [
    library("CJPEG", "libjpeg", "libjpeg-dev"),
    library("CPNG", "libpng", "libpng-dev"),
    library("CLCMS", "lcms2", "liblcms2-dev"),
    library("CEXIF", "libexif", "libexif-dev"),
    library("CSECCOMP", "libseccomp", "libseccomp-dev"),
    library("CCrypto", "libcrypto", "libssl-dev"),
    library("CSQLite", "sqlite3", "libsqlite3-dev"),
    .target(
      name: "CPhotoCodecs", dependencies: ["CJPEG", "CPNG"], cSettings: cSettings,
      linkerSettings: [.linkedLibrary("m"), .linkedLibrary("z")]),

    .target(name: "CIngestFiles", cSettings: cSettings),

    // Only its words: the library is loaded at run time, so there is nothing to link.
    .systemLibrary(name: "CCURL", providers: [.apt(["libcurl4-openssl-dev"])]),
    .target(name: "CPublishing", dependencies: ["CCURL"], cSettings: cSettings),

    .target(name: "CWorkers", dependencies: ["CSECCOMP"], cSettings: cSettings),
    .target(name: "CThreads", cSettings: cSettings),
    room("IngestCore", ["CThreads"]),
    room("HostProcess"),
    room("PhotoCodecs", ["CPhotoCodecs", "CLCMS", "CEXIF", "IngestCore"]),
    room("IngestFiles", ["CIngestFiles", "CCrypto", "IngestCore"]),
    room("Workers", ["CWorkers", "IngestCore"]),
    room("Catalogue", ["CSQLite", "IngestCore"]),
    room("Publishing", ["CPublishing", "CCrypto", "HostProcess", "IngestCore"]),
    room("Ingest", ["Workers", "Catalogue", "Publishing", "IngestFiles", "PhotoCodecs", "HostProcess", "IngestCore"]),
    room("IngestCommand", ["Ingest", "HostProcess", "IngestCore"]),
    .executableTarget(
      name: "photo-ingest", dependencies: ["IngestCommand", "HostProcess"], swiftSettings: swiftSettings),

    .target(
      name: "IngestTestSupport", dependencies: ["IngestFiles", "IngestCore", "HostProcess"],
      path: "Tests/IngestTestSupport",
      swiftSettings: swiftSettings),
    tests("IngestCoreTests", ["IngestCore"]),
    tests("HostProcessTests", ["HostProcess"]),
    tests("PhotoCodecsTests", ["PhotoCodecs", "IngestCore"]),
    tests("WorkersTests", ["Workers", "CWorkers", "IngestCore"]),
    tests("PublishingTests", ["Publishing", "IngestCore"]),
    tests("IngestFilesTests", ["IngestFiles", "IngestCore"]),
    tests("CatalogueTests", ["Catalogue", "IngestCore"]),
    tests("IngestTests", ["Ingest", "Workers", "Catalogue", "IngestFiles", "PhotoCodecs", "IngestCore"]),
    tests("IngestCommandTests", ["IngestCommand", "Ingest", "IngestFiles", "IngestCore"]),
    tests("EndToEndTests", ["Catalogue", "PhotoCodecs", "IngestCore"]),
  ]
)

// Tools that hunt for faults, for `./dev fuzz` and `./dev torture` alone: no other build knows of them.
if Context.environment["PHOTO_INGEST_FUZZ"] == "1" {
  let fuzzSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
  ]
  package.targets += [
    .systemLibrary(name: "CLibFuzzer", path: "Fuzz/CLibFuzzer"),
    .target(name: "PhotoSurgery", path: "Fuzz/Surgery", swiftSettings: fuzzSettings),
    .target(
      name: "TinyPhotos", dependencies: ["IngestTestSupport"], path: "Fuzz/Seeds", swiftSettings: fuzzSettings),
    .executableTarget(
      name: "fuzz",
      dependencies: [
        "CLibFuzzer", "PhotoSurgery", "TinyPhotos", "Ingest", "Workers", "PhotoCodecs", "IngestFiles", "IngestCore",
      ],
      path: "Fuzz/Targets", swiftSettings: fuzzSettings),
    .executableTarget(
      name: "reference", dependencies: ["CJPEG", "CPNG"], path: "Fuzz/Reference", cSettings: cSettings),
    .executableTarget(
      name: "torture", dependencies: ["PhotoSurgery", "TinyPhotos"], path: "Fuzz/Torture", swiftSettings: fuzzSettings),
  ]
}

// Writes thumbnails as they are before they become JPEG, for `./dev bench quality` alone.
if Context.environment["PHOTO_INGEST_QUALITY"] == "1" {
  package.targets.append(
    .executableTarget(
      name: "thumbnail-pixels", dependencies: ["PhotoCodecs", "IngestFiles"], path: "scripts/bench/thumbnail-pixels",
      swiftSettings: swiftSettings))
}
