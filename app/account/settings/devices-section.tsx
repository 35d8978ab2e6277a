import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod/mini'
import { signOut } from '#app/account/session/auth.ts'
import { orThrow } from '#app/account/session/session-over.ts'
import { signOutOthers } from '#app/account/session/own-auth.ts'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { toast } from '#app/ui/toast.ts'
import { type OwnSession, SESSIONS, ownSession } from './account.ts'
import { AccountSection } from './account-section.tsx'
import { useRefreshAccount } from './account-state.tsx'
import { showAccountFailure } from './tell-failure.ts'
import { formatMoment } from '#app/ui/moment.ts'

/** The person's sessions, and buttons that end one, all others, or all. Each takes effect immediately. */
export function DevicesSection() {
  const sessions = useQuery(apiQuery(SESSIONS, z.array(ownSession)))
  const others = sessions.data?.filter(({ isCurrent }) => !isCurrent) ?? []
  return (
    <AccountSection
      id="devices"
      title="Where you are signed in"
      intro="Don’t recognize a device? Sign it out and change your password. Takes effect immediately."
    >
      {sessions.isPending && <Loading>Loading your devices...</Loading>}
      {sessions.isError && <Failed error={sessions.error} retry={sessions.refetch} />}
      {sessions.data && (
        <>
          <ul className="divide-y divide-line border-y border-line">
            {sessions.data.map((session) => (
              <Device key={session.id} session={session} />
            ))}
          </ul>
          <Ends others={others.length} />
        </>
      )}
    </AccountSection>
  )
}

function Device({ session: { id, device, address, lastUsedAt, createdAt, isCurrent } }: { session: OwnSession }) {
  const end = useEnd(() => apiRequest('DELETE', `${SESSIONS}/${id}`), 'That device is signed out')
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-4">
      <div className="grid min-w-0 gap-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-semibold">
          {device}
          {isCurrent && <Badge look="leaf">This device</Badge>}
        </p>
        <p className="text-small text-muted">
          {address && <span className="font-mono text-fine">{address}</span>}
          {address && ' · '}
          last used <time dateTime={lastUsedAt}>{formatMoment(lastUsedAt)}</time> · since{' '}
          <time dateTime={createdAt}>{formatMoment(createdAt)}</time>
        </p>
      </div>
      {!isCurrent && (
        <Button type="button" look="quiet" size="small" busy={end.isPending} aria-label={`Sign out ${device}`} onClick={() => end.mutate()}>
          {end.isPending ? 'Signing out...' : 'Sign out'}
        </Button>
      )}
    </li>
  )
}

function Ends({ others }: { others: number }) {
  const [asking, setAsking] = useState(false)
  const [revokeKeys, setRevokeKeys] = useState(true)
  const endOthers = useEnd(() => orThrow(signOutOthers()), 'All your other devices are signed out')
  const endAll = useMutation({
    mutationFn: async () => {
      await apiRequest('POST', `${SESSIONS}/end-all`, { revokeKeys })
      await orThrow(signOut('global'))
    },
    // A new document discards all data of the person.
    onSuccess: () => window.location.assign('/login'),
    onError: showAccountFailure('Not signed out'),
  })
  return (
    <div className="flex flex-wrap gap-3">
      <Button
        type="button"
        look="quiet"
        busy={endOthers.isPending}
        {...(others === 0 && { unavailable: 'No other devices are signed in.' })}
        onClick={() => endOthers.mutate()}
      >
        {endOthers.isPending ? 'Signing out...' : 'Sign out all other devices'}
      </Button>
      <Button type="button" look="quiet" onClick={() => setAsking(true)}>
        Sign out everywhere
      </Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => endAll.mutate()}
        title="Sign out everywhere?"
        confirm={endAll.isPending ? 'Signing out...' : 'Sign out everywhere'}
        busy={endAll.isPending}
      >
        <p>This signs you out on this device too. You can sign in again right away.</p>
        <label className="mt-3 flex min-h-11 items-center gap-3 text-ink">
          <input
            type="checkbox"
            checked={revokeKeys}
            onChange={() => setRevokeKeys(!revokeKeys)}
            className="size-5 shrink-0 accent-grain-text"
          />
          Revoke my API keys as well
        </label>
      </ConfirmDialog>
    </div>
  )
}

function useEnd(end: () => Promise<unknown>, done: string) {
  const refresh = useRefreshAccount()
  return useMutation({
    mutationFn: end,
    onSuccess: () => toast({ title: done }),
    onError: showAccountFailure('Not signed out'),
    onSettled: refresh,
  })
}
