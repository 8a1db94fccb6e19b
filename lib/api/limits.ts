/** Limits of the wire contract that no setting changes: the most, where there is one number. */
export const limits = {
  /** Bytes of a request body. */
  body: 64 * 1024,
  /** Bytes of the body of a file of apps. */
  file: 1024 * 1024,
  /**
   * How long, and which characters, as inside the brackets of a regular expression. Each expression adds the hyphen itself,
   * because a new username must not begin with one.
   */
  username: { min: 3, max: 64, characters: 'A-Za-z0-9._@+' },
  /** Per account, former ones included: nobody else can have them. */
  usernames: 100,
  /** Code points. */
  displayName: 64,
  /** Bytes of UTF-8. */
  password: 1024,
  /** Characters of a recovery code as typed. */
  recoveryCode: 256,
  /** Codes of one set. */
  recoveryCodes: 10,
  /** Characters. */
  passkeyName: 64,
  /** Characters. */
  appId: 64,
  /** Characters of the URL by which a client introduces itself. */
  clientUrl: 512,
  /** Of an app's picture; a few bytes of some formats unpack to very many pixels. */
  icon: { bytes: 64 * 1024, pixels: 1024 },
  /** Bytes of a body with such a picture, in base64. */
  bodyWithIcon: 160 * 1024,
  /** Characters of a redirect URI, and of the other URIs of an app. */
  appUri: 1024,
  /** Characters. */
  nonce: 512,
  /** Characters of what a scope of an API lets an app do, as people read it. */
  scopeSentence: 200,
  /** Characters of the name of an app. */
  appName: 64,
  /** Per account: each is read with every request of its sessions. */
  passkeys: 50,
  /** Of one list: an account that signs in as often as it may has tens of thousands, and reading them would hold up everybody. */
  sessions: 200,
  /** Characters. */
  groupName: 64,
  /** Code points of what operators note of an invitation. */
  note: 200,
  groupsOfInvitation: 50,
  /** Invitations that are made at once. */
  invitations: 10_000,
  /** Events of one page. */
  events: 50,
  /** Characters of the cursor that leads to the next page. */
  eventCursor: 256,
  /** Rows of one page of an operator's list. */
  adminPage: 200,
  /** Characters by which an operator searches: those of the longest e-mail address. */
  query: 254,
  /** Characters of an id, a name or an e-mail address by which an operator asks for something. */
  reference: 1364,
  /** Events of one type that the owner's notices are made of. */
  notableEvents: 50,
  /** base64url characters of the longest credential id (WebAuthn section 4). */
  credentialId: 1364,
  /** base64url characters of a token's `jti` (16 bytes). */
  tokenId: 22,
  /** base64url characters of the longest user handle (64 bytes). */
  userHandle: 86,
} as const

/** The longest that a request waits for its turn to hash. Later arrivals can make a wait longer than expected. */
export const longestWaitMilliseconds = 20_000

/**
 * On a platform that freezes the process between requests, attempts to deliver begin within this time. Elsewhere, a cron job's
 * call waits this long for them.
 */
export const roundMilliseconds = 20_000

/** The longest attempt to deliver a message: the time for the receiver's name, the connection and the status. */
export const attemptMilliseconds = 10_000

/** The units of times such as `15m`, in settings and in what operators ask for. */
export const unitMilliseconds = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const
