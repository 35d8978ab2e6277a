import { numberText } from '#app/platform/text/english-number.ts'
import type { NotFoundEntry } from '#app/redirects/not-found/not-found.ts'
import type { ListLook } from '#app/ui/admin/list-page.tsx'
import { formatMoment } from '#app/ui/moment.ts'

export type NotFoundRow = NotFoundEntry & { id: string }

/** The log of missing paths: its columns, filters and words. */
export const notFoundLook: ListLook<NotFoundRow> = {
  name: 'not-found',
  caption: 'Paths not found',
  one: 'path',
  many: 'paths',
  loading: 'Loading not found log...',
  failed: 'Failed to load the not found log',
  empty: {
    title: 'No missing pages',
    text: 'Paths that visitors requested but that do not exist appear here. No visitor data is stored.',
  },
  none: 'No paths match these filters.',
  nameOf: ({ path }) => path,
  filters: [
    {
      key: 'sort',
      label: 'Order',
      options: [
        { value: '', label: 'Most requested' },
        { value: 'lastSeenAt', label: 'Last seen' },
        { value: 'path', label: 'By path' },
      ],
    },
    {
      key: 'visitors',
      label: 'Requested by',
      options: [
        { value: '', label: 'Everyone' },
        { value: 'people', label: 'People' },
        { value: 'bots', label: 'Bots only' },
      ],
    },
    {
      key: 'ignored',
      label: 'Show',
      usual: 'false',
      options: [
        { value: 'false', label: 'To review' },
        { value: 'true', label: 'Ignored' },
      ],
    },
  ],
  columns: [
    { key: 'path', head: 'Path', view: ({ path }) => <Mono text={path} /> },
    { key: 'suggestion', head: 'Looks like', from: 'medium', view: ({ suggestion }) => suggestion && <Mono text={suggestion} /> },
    { key: 'visits', head: 'Visits', width: '6.5rem', from: 'medium', kind: 'data', view: (row) => visitsOf(row) },
    { key: 'bots', head: 'Bots', width: '7rem', from: 'large', kind: 'data', view: ({ botHits }) => botsOf(botHits) },
    {
      key: 'referrer',
      head: 'Last linked from',
      from: 'wide',
      view: ({ referrer }) => referrer && <span title={referrer}>{referrer}</span>,
    },
    { key: 'seen', head: 'Last seen', width: '11rem', from: 'large', kind: 'data', view: ({ lastSeenAt }) => <Seen at={lastSeenAt} /> },
  ],
  renderNarrow: ({ suggestion, referrer, ...row }) => (
    <>
      <span>{visitsOf(row)}</span>
      <span>{botsOf(row.botHits)}</span>
      <Seen at={row.lastSeenAt} />
      {suggestion && <span className="w-full truncate">Looks like {suggestion}</span>}
      {referrer && <span className="w-full truncate">Last linked from {referrer}</span>}
    </>
  ),
}

function Mono({ text }: { text: string }) {
  return (
    <span className="font-mono" title={text}>
      {text}
    </span>
  )
}

function visitsOf({ hits, botHits }: Pick<NotFoundEntry, 'hits' | 'botHits'>): string {
  const people = hits - botHits
  return people === 1 ? '1 visit' : `${numberText(people)} visits`
}

function botsOf(count: number): string {
  return count === 1 ? '1 by a bot' : `${numberText(count)} by bots`
}

function Seen({ at }: { at: string }) {
  return <time dateTime={at}>{formatMoment(at)}</time>
}
