import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod/mini'
import { signOut } from '#app/account/session/auth.ts'
import { orThrow } from '#app/account/session/session-over.ts'
import { signOutOthers } from '#app/account/session/own-auth.ts'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { ActionButton, QuestionButton } from '#app/ui/admin/action-button.tsx'
import { Badge } from '#app/ui/badge.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { ACCOUNT, type OwnSession, SESSIONS, ownSession } from './account.ts'
import { AccountSection } from './account-section.tsx'
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
  const end = {
    send: async () => apiRequest('DELETE', `${SESSIONS}/${id}`),
    done: 'That device is signed out',
    failed: 'Not signed out',
    touches: [ACCOUNT],
  }
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
        <ActionButton action={end} size="small" aria-label={`Sign out ${device}`} pending="Signing out...">
          Sign out
        </ActionButton>
      )}
    </li>
  )
}

function Ends({ others }: { others: number }) {
  const [revokeKeys, setRevokeKeys] = useState(true)
  const endOthers = {
    send: async () => orThrow(signOutOthers()),
    done: 'All your other devices are signed out',
    failed: 'Not signed out',
    touches: [ACCOUNT],
  }
  const endAll = {
    async send() {
      await apiRequest('POST', `${SESSIONS}/end-all`, { revokeKeys })
      await orThrow(signOut('global'))
    },
    // A new document discards all data of the person.
    onDone: () => window.location.assign('/login'),
    failed: 'Not signed out',
    touches: [],
  }
  return (
    <div className="flex flex-wrap gap-3">
      <ActionButton action={endOthers} pending="Signing out..." {...(others === 0 && { unavailable: 'No other devices are signed in.' })}>
        Sign out all other devices
      </ActionButton>
      <QuestionButton
        action={endAll}
        label="Sign out everywhere"
        question="Sign out everywhere?"
        confirm="Sign out everywhere"
        pending="Signing out..."
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
      </QuestionButton>
    </div>
  )
}
