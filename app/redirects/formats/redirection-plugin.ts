/** A record of the JSON export of WordPress's Redirection plug-in, in the column names of other files. */
export type PlainRecord = { record: Record<string, unknown>; refused?: never } | { refused: string; record?: never }

/** Ids of the disabled groups of the export; their rules are disabled as well. */
export function disabledGroups(file: unknown): ReadonlySet<unknown> {
  const groups = objectOf(file)['groups']
  if (!Array.isArray(groups)) return new Set()
  return new Set(
    groups.map(objectOf).flatMap((group) => (group['status'] === 'disabled' || group['enabled'] === false ? [group['id']] : [])),
  )
}

/** Maps a plug-in record to plain columns; other records stay as they are. */
export function plainRecord(record: Record<string, unknown>, off: ReadonlySet<unknown>): PlainRecord {
  if (!('action_type' in record && 'match_type' in record)) return { record }
  const code = Number(record['action_code'])
  if (record['action_type'] === 'error') return { refused: refusalOf(code) }
  if (record['action_type'] !== 'url') return { refused: 'Only rules with a single target URL can be imported' }
  if (record['match_type'] !== 'url') return { refused: 'Rules with conditions on the visitor cannot be imported' }
  const source = objectOf(objectOf(record['match_data'])['source'])
  const data = record['action_data']
  const isOn = record['enabled'] !== false && record['status'] !== 'disabled' && !off.has(record['group_id'])
  return {
    record: {
      from: record['url'],
      to: typeof data === 'string' ? data : objectOf(data)['url'],
      code,
      regex: Boolean(record['regex'] || source['flag_regex']),
      title: record['title'],
      active: isOn,
      query: queryOf(source['flag_query']),
      ...(typeof source['flag_trailing'] === 'boolean' && { ignoresSlash: source['flag_trailing'] }),
      ...(typeof source['flag_case'] === 'boolean' && { ignoresCase: source['flag_case'] }),
    },
  }
}

function refusalOf(code: number): string {
  const name = code === 410 ? '410 Gone' : String(code || 'an error')
  return `A rule with the response ${name} cannot be imported: a redirect has the status 301, 302, 307 or 308`
}

/** `exactorder` makes the order of a query count; here it never does. */
function queryOf(flag: unknown): string | undefined {
  if (flag === 'exact' || flag === 'exactorder') return 'exact'
  return flag === 'pass' || flag === 'ignore' ? flag : undefined
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : {}
}
