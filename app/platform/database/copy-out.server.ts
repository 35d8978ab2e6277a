import type { Pool, Submittable } from 'pg'
import { isOutage } from './database-error.ts'
import type { CopyOut } from './db.server.ts'

type TakeRow = Parameters<CopyOut>[1]
type TakeMessage = (message: Buffer) => void
type CopyData = { chunk: Buffer }
type Socket = Parameters<Submittable['submit']>[0]

/** The start of a binary `COPY`: a signature, four bytes of flags, and the length of an extension, which no version has used. */
const HEADER_BYTES = 'PGCOPY\n\xFF\r\n\0'.length + 4 + 4
/** The end of a binary `COPY`, in place of a row's number of columns. */
const END = -1

/** Passes on the rows of a binary `COPY`, given its messages. The server sends each row in one message; the first also has the header. */
export function rowsOnly(take: TakeRow): TakeMessage {
  let isFirst = true
  return (message) => {
    const row = isFirst ? message.subarray(HEADER_BYTES) : message
    isFirst = false
    if (row.readInt16BE() !== END) take(row)
  }
}

/** A `COPY … TO STDOUT` on a connection of the driver. */
class CopyQuery implements Submittable {
  readonly ended = Promise.withResolvers<void>()
  #statement: string
  #take: TakeMessage
  #failure: unknown

  constructor(statement: string, take: TakeMessage) {
    this.#statement = statement
    this.#take = take
  }

  submit(connection: Socket) {
    connection.query(this.#statement)
  }

  handleCopyData({ chunk }: CopyData) {
    if (this.#failure) return
    try {
      this.#take(chunk)
    } catch (error) {
      // The connection is fit for others only after the rest has passed.
      this.#failure = error
    }
  }

  handleCommandComplete() {}

  handleError(error: Error) {
    this.ended.reject(error)
  }

  handleReadyForQuery() {
    if (this.#failure) this.ended.reject(this.#failure)
    else this.ended.resolve()
  }
}

/** Runs a binary `COPY … TO STDOUT` on a connection of its own. */
export async function copyFromServer(pool: Pool, statement: string, take: TakeRow): Promise<void> {
  const client = await pool.connect()
  let isLost = false
  try {
    const copy = new CopyQuery(statement, rowsOnly(take))
    client.query(copy)
    await copy.ended.promise
  } catch (error) {
    isLost = isOutage(error)
    throw error
  } finally {
    // The server may have ended the connection a moment ago: the next query must not get it.
    client.release(isLost)
  }
}
