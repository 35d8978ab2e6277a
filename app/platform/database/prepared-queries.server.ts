import { randomUUID } from 'node:crypto'
import { type PGlite, protocol, type Results } from '@electric-sql/pglite'
import { propertyOf } from '#app/platform/property.ts'

type Query = PGlite['query']
type Call = Parameters<Query>
type Messages = Awaited<ReturnType<PGlite['execProtocolStream']>>
type Field = { name: string; dataTypeID: number }

/** A statement as the engine has described it. The name is empty for one that is used once. */
type Statement = { name: string; parameterTypes: number[]; fields: Field[]; since: number }

/** Each takes memory of the engine. */
const MOST = 128
const MOST_LENGTH = 10_000
const MOST_SEEN = 1000

/** A plan suits tables of the size that they had: one that has grown since then needs another plan. */
const LASTS_MS = 20_000

const REPEATABLE = /^[\s(]*(?:select|insert|update|delete|with)\b/i
const CHANGES_TABLES = /^\s*(?:create|alter|drop|do|set|reset)\b/i

/** The engine refuses a prepared statement whose columns have changed with their table. */
const FEATURE_NOT_SUPPORTED = '0A000'

const { serialize } = protocol
const { CommandCompleteMessage, DataRowMessage, ParameterDescriptionMessage, RowDescriptionMessage } = protocol.messages

/**
 * Runs queries of the embedded engine. The engine's own `query` parses and plans each one, and enters the engine six times. Here, a
 * repeated statement stays prepared and takes one entry.
 */
export class PreparedQueries {
  readonly #engine: PGlite
  /** By text, the least recently used first. */
  readonly #prepared = new Map<string, Statement>()
  /** Texts that ran once: a statement that is never repeated is not worth its memory. */
  readonly #seen = new Set<string>()
  /** Names that the engine has yet to forget. */
  #released: string[] = []
  /** An engine that is opened again may still have the statements of before. */
  readonly #names = randomUUID()
  #count = 0

  constructor(engine: PGlite) {
    this.#engine = engine
  }

  /** Runs a query outside of a transaction. */
  async query<T>(...call: Call): Promise<Results<T>> {
    if (!REPEATABLE.test(call[0])) return this.#plain(call, () => this.#engine.query<T>(...call))
    await this.#engine._checkReady()
    return this.#engine._runExclusiveTransaction(() => this.#run<T>(call, { mayRepeat: true }))
  }

  /** Runs a query inside a transaction, whose own query function is `plain`. */
  async queryInside<T>(call: Call, plain: Query): Promise<Results<T>> {
    return REPEATABLE.test(call[0]) ? this.#run<T>(call, { mayRepeat: false }) : this.#plain(call, () => plain<T>(...call))
  }

  /** Prepares all statements again at their next use: tables may have changed. */
  forget() {
    for (const text of this.#prepared.keys()) this.#release(text)
  }

  async #plain<T>([text]: Call, query: () => Promise<Results<T>>): Promise<Results<T>> {
    try {
      return await query()
    } finally {
      if (CHANGES_TABLES.test(text)) this.forget()
    }
  }

  #run<T>([text, values = []]: Call, { mayRepeat }: { mayRepeat: boolean }): Promise<Results<T>> {
    return this.#engine._runExclusiveQuery(async () => {
      const known = this.#find(text)
      if (!known) return this.#execute<T>(await this.#describe(text), values)
      try {
        return await this.#execute<T>(known, values)
      } catch (error) {
        if (propertyOf(error, 'code') !== FEATURE_NOT_SUPPORTED) throw error
        this.#release(text)
        if (!mayRepeat) throw error
        return this.#execute<T>(await this.#describe(text), values)
      }
    })
  }

  #find(text: string): Statement | undefined {
    const found = this.#prepared.get(text)
    if (!found) return undefined
    if (performance.now() - found.since > LASTS_MS) {
      this.#release(text)
      return undefined
    }
    this.#prepared.delete(text)
    this.#prepared.set(text, found)
    return found
  }

  #release(text: string) {
    const found = this.#prepared.get(text)
    if (found && this.#prepared.delete(text)) this.#released.push(found.name)
  }

  /** Parses a statement, and names one that has run before. */
  async #describe(text: string): Promise<Statement> {
    const name = this.#hasRun(text) ? `${this.#names} ${(this.#count += 1)}` : ''
    const statement: Statement = { name, parameterTypes: [], fields: [], since: performance.now() }
    // Without a sync, which would end the unnamed statement's transaction before it is executed.
    const messages = await this.#exchange([serialize.parse({ name, text }), serialize.describe({ type: 'S', name })]).catch(
      async (error) => {
        await this.#exchange([serialize.sync()])
        throw error
      },
    )
    for (const message of messages) {
      if (message instanceof ParameterDescriptionMessage) statement.parameterTypes = message.dataTypeIDs
      if (message instanceof RowDescriptionMessage) {
        statement.fields = message.fields.map(({ name: column, dataTypeID }) => ({ name: column, dataTypeID }))
      }
    }
    if (name) this.#keep(text, statement)
    return statement
  }

  #hasRun(text: string): boolean {
    if (this.#seen.has(text)) return true
    if (this.#seen.size >= MOST_SEEN) this.#seen.clear()
    if (text.length <= MOST_LENGTH) this.#seen.add(text)
    return false
  }

  #keep(text: string, statement: Statement) {
    const [oldest] = this.#prepared.keys()
    if (oldest !== undefined && this.#prepared.size >= MOST) this.#release(oldest)
    this.#prepared.set(text, statement)
  }

  async #execute<T>({ name, parameterTypes, fields }: Statement, parameters: unknown[]): Promise<Results<T>> {
    const bound = await this.#bind(name, parameterTypes, parameters)
    const { parsers } = this.#engine
    const columns = fields.map(({ name: column, dataTypeID }) => ({ column, dataTypeID, parse: parsers[dataTypeID] }))
    const rows: T[] = []
    let affectedRows = 0
    for (const message of await this.#exchange([bound, serialize.execute(), serialize.sync()])) {
      if (message instanceof DataRowMessage) {
        const row: Record<string, unknown> = {}
        for (const [place, { column, dataTypeID, parse }] of columns.entries()) {
          const text = message.fields[place] ?? null
          row[column] = text === null || !parse ? text : parse(text, dataTypeID)
        }
        // The caller names the type of its rows, as with the engine's own `query`.
        rows.push(Object(row))
      } else if (message instanceof CommandCompleteMessage) affectedRows = affectedBy(message.text)
    }
    return { rows, fields, affectedRows }
  }

  /** A value of a wrong type throws here, after the statement was parsed. */
  async #bind(statement: string, types: number[], parameters: unknown[]): Promise<Uint8Array> {
    try {
      return serialize.bind({ statement, values: parameters.map((value, place) => this.#serialized(value, types[place])) })
    } catch (error) {
      await this.#exchange([serialize.sync()])
      throw error
    }
  }

  /** As the engine's own `query` does: a value without a serializer is written as text. */
  #serialized(value: unknown, type = 0): string | Uint8Array | null {
    if (value === null || value === undefined) return null
    const serializer = this.#engine.serializers[type]
    return serializer ? serializer(value) : `${Object(value)}`
  }

  async #exchange(request: Uint8Array[]): Promise<Messages> {
    const closing = this.#released.map((name) => serialize.close({ type: 'S', name }))
    this.#released = []
    return this.#engine.execProtocolStream(Buffer.concat([...closing, ...request]), { syncToFs: false })
  }
}

/** The count at the end of a command's tag, such as `INSERT 0 5`. Reads change nothing. */
function affectedBy(tag: string): number {
  return tag.startsWith('SELECT') ? 0 : Number(tag.slice(tag.lastIndexOf(' ') + 1))
}
