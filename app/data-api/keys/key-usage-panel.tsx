import { useQuery } from '@tanstack/react-query'
import { KEYS, keyUsage } from './api-key.ts'
import { apiQuery } from '#app/platform/browser/api.ts'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { formatMoment } from '#app/ui/moment.ts'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { UsageChart } from './usage-chart.tsx'

/** The usage of a key, loaded each time that the panel opens. */
export function KeyUsagePanel({ id, name }: { id: string; name: string }) {
  const usage = useQuery({ ...apiQuery(`${KEYS}/${id}/usage`, keyUsage), staleTime: 0 })
  return (
    <section aria-label={`Usage of ${name}`} className="grid grid-cols-1 gap-3 rounded-card border border-line p-4 sm:p-5">
      {usage.isPending && (
        <div>
          <Loading>Loading usage...</Loading>
          <Skeleton lines={4} />
        </div>
      )}
      {usage.isError && <Failed error={usage.error} retry={usage.refetch} />}
      {usage.data && (
        <>
          <UsageChart days={usage.data.days} />
          <p className="text-small text-muted">Your quota resets on {formatMoment(usage.data.resetsAt)}.</p>
        </>
      )}
    </section>
  )
}
