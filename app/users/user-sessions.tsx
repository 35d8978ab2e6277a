import { useQuery } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { apiQuery } from '#app/platform/browser/api.ts'
import { Button } from '#app/ui/button.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { deviceOf } from '#app/auth/sessions/device.ts'
import { type ListedSession, listedSession } from '#app/auth/directory/user-directory.ts'
import { USERS } from './user-admin.ts'
import { useAdminAction } from '#app/ui/admin/use-admin-action.tsx'
import { formatMoment } from '#app/ui/moment.ts'

/** A person's sessions, with buttons to end them. */
export function UserSessions({ userId }: { userId: string }) {
  const url = `${USERS}/${userId}/sessions`
  const sessions = useQuery(apiQuery(url, z.array(listedSession)))
  const endAll = useAdminAction({ method: 'DELETE', url, done: 'Signed out everywhere', failed: 'Not signed out' })
  return (
    <section aria-labelledby="user-devices" className="grid justify-items-start gap-3 border-t border-line pt-6">
      <h3 id="user-devices">Signed in on</h3>
      {sessions.isPending && <Loading>Loading devices...</Loading>}
      {sessions.isError && <Failed error={sessions.error} retry={sessions.refetch} />}
      {sessions.data?.length === 0 && <p className="text-small text-muted">Not signed in anywhere.</p>}
      {sessions.data && sessions.data.length > 0 && (
        <>
          <ul className="w-full divide-y divide-line border-y border-line">
            {sessions.data.map((session) => (
              <Device key={session.id} url={url} session={session} />
            ))}
          </ul>
          <Button type="button" look="quiet" busy={endAll.isPending} onClick={() => endAll.mutate()}>
            {endAll.isPending ? 'Signing out...' : 'Sign out everywhere'}
          </Button>
        </>
      )}
    </section>
  )
}

function Device({ url, session: { id, userAgent, address, lastSeenAt } }: { url: string; session: ListedSession }) {
  const end = useAdminAction({ method: 'DELETE', url: `${url}/${id}`, done: 'That device is signed out', failed: 'Not signed out' })
  const device = deviceOf(userAgent)
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 text-small">
      <span className="min-w-0">
        <span className="block font-semibold">{device}</span>
        <span className="text-muted">
          {address && <span className="font-mono text-fine">{address}, </span>}
          {formatMoment(lastSeenAt)}
        </span>
      </span>
      <Button type="button" look="quiet" size="small" busy={end.isPending} aria-label={`Sign out ${device}`} onClick={() => end.mutate()}>
        {end.isPending ? 'Signing out...' : 'Sign out'}
      </Button>
    </li>
  )
}
