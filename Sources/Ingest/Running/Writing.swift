import Catalogue
import IngestFiles

/// Does something in the output folder; what goes wrong there ends the run.
func writing<Value>(_ body: () throws(FileError) -> Value) throws(RunError) -> Value {
  do {
    return try body()
  } catch {
    throw .outputUnusable(error)
  }
}

/// Does something with the catalogue; what goes wrong there is mended once, or ends the run.
func remembering<Value>(_ body: () throws(CatalogueError) -> Value) throws(RunError) -> Value {
  do {
    return try body()
  } catch {
    throw RunError(error)
  }
}
