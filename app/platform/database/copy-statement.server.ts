import { createQueryId, PostgresQueryCompiler, type RawBuilder } from 'kysely'

/** `COPY` takes no parameters, so the query builder's own rules write its values as literals. */
class LiteralCompiler extends PostgresQueryCompiler {
  protected override appendValue(value: unknown) {
    this.appendImmediateValue(value)
  }
}

/** The query as a `COPY … TO STDOUT` in CSV: the named columns quoted in every row, lines end with LF. */
export function copyStatement(query: RawBuilder<unknown>, quoted: string[]): string {
  const { sql } = new LiteralCompiler().compileQuery(query.toOperationNode(), createQueryId())
  return `COPY (${sql}) TO STDOUT WITH (FORMAT csv, FORCE_QUOTE (${quoted.map((column) => `"${column}"`).join(', ')}))`
}
