/// Lists what the program heeds of the environment beside the names that options have.
enum EnvironmentNames {
  static let others: [(name: String, text: String)] = [
    ("NO_COLOR", "When it is set and not empty there are no colours, unless --color always asks for them."),
    ("TERM", "On a terminal called dumb nothing moves and nothing has a colour."),
    ("JOURNAL_STREAM", "Set by systemd: when stderr is the journal, every line carries its priority."),
    (
      "CREDENTIALS_DIRECTORY",
      "Set by systemd: the folder of the credentials that publish takes for a key file without a slash and for {credential:NAME}."
    ),
    (
      "AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN",
      "The keys for an upload of the kind s3 when the configuration names none."
    ),
    ("AWS_REGION, AWS_DEFAULT_REGION", "Its region, when the configuration names none."),
    (
      "QINIU_ACCESS_KEY, QINIU_SECRET_KEY",
      "The keys for an upload of the kind qiniu when the configuration names none."
    ),
    ("CURL_CA_BUNDLE, SSL_CERT_FILE", "A file with the authorities whose certificates are believed."),
  ]
}
