import { bookTexts } from '#app/content/book.ts'
import type { CallSummary } from './call-facts.server.ts'

const { success: words } = bookTexts

/** When, with whom and where a call is, and its way into a calendar. */
export function CallFacts({ facts }: { facts: CallSummary }) {
  const { calendars } = facts
  const rows: [string, React.ReactNode][] = [
    [words.guest, facts.guestTime],
    [words.host, facts.hostTime],
    [words.with, facts.host],
    [words.place, facts.isLink ? <PlaceLink key="place" url={facts.place} /> : facts.place],
    [words.reference, facts.reference],
  ]
  return (
    <div className="grid gap-6">
      <dl className="grid gap-3">
        {rows
          .filter(([, value]) => Boolean(value))
          .map(([name, value]) => (
            <div key={name} className="grid gap-x-6 sm:grid-cols-[10rem_1fr]">
              <dt className="text-small text-muted">{name}</dt>
              <dd className="font-semibold wrap-anywhere">{value}</dd>
            </div>
          ))}
      </dl>
      {!facts.isEmailed && <p className="text-small">{words.notEmailed}</p>}
      {calendars && (
        <p className="flex flex-wrap gap-x-5 gap-y-2 text-small">
          <span className="text-muted">{words.add}:</span>
          <a href={calendars.file} download className="link">
            {words.file}
          </a>
          <a href={calendars.google} target="_blank" rel="noopener noreferrer" className="link">
            {words.google}
          </a>
          <a href={calendars.outlook} target="_blank" rel="noopener noreferrer" className="link">
            {words.outlook}
          </a>
        </p>
      )}
    </div>
  )
}

function PlaceLink({ url }: { url: string }) {
  return (
    <a href={url} target="_blank" rel="noopener noreferrer" className="link">
      {url}
    </a>
  )
}
