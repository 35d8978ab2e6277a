import type { Pool, Submittable } from 'pg'
import type { CopyOut } from './db.server.ts'

type TakeLine = Parameters<CopyOut>[1]
type CopyData = { chunk: Buffer }
type Socket = Parameters<Submittable['submit']>[0]

/** A `COPY … TO STDOUT` on a connection of the driver. The server sends one message for each row. */
class CopyQuery implements Submittable {
  readonly ended = Promise.withResolvers<void>()
  #statement: string
  #take: TakeLine
  #failure: unknown

  constructor(statement: string, take: TakeLine) {
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

/** Runs a `COPY … TO STDOUT` on a connection of its own. */
export async function copyFromServer(pool: Pool, statement: string, take: TakeLine): Promise<void> {
  const client = await pool.connect()
  try {
    const copy = new CopyQuery(statement, take)
    client.query(copy)
    await copy.ended.promise
  } finally {
    client.release()
  }
}
