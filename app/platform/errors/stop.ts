/** The reasons for a Stop, with HTTP status and title. One table for pages and API. */
const kinds = {
  badRequest: [400, 'Bad request'],
  notSignedIn: [401, 'Not signed in'],
  paymentRequired: [402, 'Payment required'],
  forbidden: [403, 'Not allowed'],
  notFound: [404, 'Not found'],
  methodNotAllowed: [405, 'Method not allowed'],
  notAcceptable: [406, 'Not acceptable'],
  conflict: [409, 'Conflict'],
  gone: [410, 'Gone'],
  tooLarge: [413, 'Too large'],
  unknownMedia: [415, 'Unknown media type'],
  unsatisfiable: [416, 'Range not satisfiable'],
  unprocessable: [422, 'Not accepted'],
  locked: [423, 'Locked'],
  tooMany: [429, 'Too many requests'],
  bug: [500, 'Our mistake'],
  unavailable: [503, 'Not available now'],
  timeout: [504, 'Took too long'],
} as const

export type StopKind = keyof typeof kinds

/** Members of a problem besides its sentence. `errors` is by field; `retryAfter` is in seconds. */
export type StopExtra = {
  code?: string
  errors?: Record<string, string>
  checkoutUrl?: string
  /** The page where a person resolves it. */
  wayOut?: { label: string; url: string }
  /** Work that the sender's machine has to do before it retries. */
  challenge?: unknown
  retryAfter?: number
  /** The current state, when another person's change came first. */
  current?: unknown
  /** A free value instead of one that is in use. */
  suggestion?: string
  /** Free times instead of one that is taken. */
  alternatives?: readonly { startsAt: string }[]
  /** The error code of OAuth. */
  oauth?: string
  /** The obstacles, in a shape of their own. */
  problems?: readonly unknown[]
  /** Reason codes of a protocol. */
  reasons?: readonly string[]
}

/**
 * An expected end of the work: thrown, never logged as a bug. It has the shape that React Router takes for a response with a status
 * (`isRouteErrorResponse`), and no stack, because nothing went wrong in the code.
 */
export class Stop {
  readonly internal = false
  readonly status: number
  readonly statusText: string
  readonly data: string
  readonly kind: StopKind
  readonly extra: StopExtra

  constructor(kind: StopKind, sentence: string, extra: StopExtra = {}) {
    const [status, title] = kinds[kind]
    this.kind = kind
    this.status = status
    this.statusText = title
    this.data = sentence
    this.extra = extra
  }
}

/** Ends the work with a sentence for the person who sent the request. For our own mistakes, throw an `Error` instead. */
export function stop(kind: Exclude<StopKind, 'bug'>, sentence: string, extra: StopExtra = {}): never {
  throw new Stop(kind, sentence, extra)
}
