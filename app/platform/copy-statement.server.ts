import { createQueryId, PostgresQueryCompiler, type RawBuilder } from 'kysely'

/** A statement that copies rows out takes no parameters: its values are written into it as literals, by the query builder's own rules. */
class LiteralCompiler extends PostgresQueryCompiler {
  protected override appendValue(value: unknown) {
    this.appendImmediateValue(value)
  }
}

/** The query as a `COPY` to whoever asks, as CSV: these columns quoted in every row, lines ended by LF. */
export function copyStatement(query: RawBuilder<unknown>, quoted: string[]): string {
  const { sql } = new LiteralCompiler().compileQuery(query.toOperationNode(), createQueryId())
  return `COPY (${sql}) TO STDOUT WITH (FORMAT csv, FORCE_QUOTE (${quoted.map((column) => `"${column}"`).join(', ')}))`
}
