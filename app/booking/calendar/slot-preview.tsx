import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { apiRequest } from '#app/platform/browser/api.ts'
import { Card } from '#app/ui/card.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { type HostBody, PREVIEW_DAYS, previewedSlots } from './calendar.ts'
import { hostUrl } from './use-calendar.tsx'
import { useNow } from './use-now.tsx'
import { addDays, clockAt, clockText, dayText } from './zoned-time.ts'

/** The free times of the next 14 days, as visitors would see them if the hours were saved like this. */
export function SlotPreview({ hostId, body }: { hostId: string; body: HostBody | undefined }) {
  const settled = useSettled(body ? JSON.stringify(body) : '')
  const url = `${hostUrl(hostId)}/preview`
  const preview = useQuery({
    // The address of the data comes first, so a change of a call or a date reloads it.
    queryKey: [url, settled],
    queryFn: async ({ signal }) =>
      previewedSlots.parse(
        await (await apiRequest('POST', url, JSON.parse(settled), { signal, headers: { 'content-type': 'application/json' } })).json(),
      ),
    enabled: settled !== '',
    placeholderData: keepPreviousData,
  })
  return (
    <Card as="section" aria-labelledby="preview" className="grid gap-3 xl:sticky xl:top-4">
      <div>
        <h2 id="preview" className="text-h3">
          Next {PREVIEW_DAYS} days
        </h2>
        <p className="text-small text-muted">Free times with these hours, calls, blocks and calendars.</p>
      </div>
      {!body && <p className="text-small text-muted">Correct the hours to see the times.</p>}
      {body && preview.isPending && <Skeleton lines={8} />}
      {body && preview.isError && <p className="text-small text-alarm">The preview did not load.</p>}
      {body && preview.data && <Days {...preview.data} isStale={preview.isPlaceholderData} />}
    </Card>
  )
}

type DaysProps = { zone: string; slots: readonly { startsAt: string }[]; isStale: boolean }

function Days({ zone, slots, isStale }: DaysProps) {
  const today = clockAt(useNow(), zone).date
  const times = Map.groupBy(
    slots.map(({ startsAt }) => clockAt(Date.parse(startsAt), zone)),
    ({ date }) => date,
  )
  return (
    <dl className={isStale ? 'grid gap-2 opacity-60' : 'grid gap-2'}>
      {Array.from({ length: PREVIEW_DAYS }, (_, at) => addDays(today, at)).map((date) => {
        const free = times.get(date) ?? []
        return (
          <div key={date} className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-2 text-fine">
            <dt className="text-muted">{dayText(date)}</dt>
            <dd className="flex flex-wrap gap-x-2 font-mono tabular-nums">
              {free.length === 0 && <span className="font-sans text-muted">None</span>}
              {free.map(({ minutes }) => (
                <span key={minutes}>{clockText(minutes)}</span>
              ))}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

/** In milliseconds: shorter than a pause between two words, so nothing is asked for every key. */
const PAUSE = 400

/** A text once it has not changed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
