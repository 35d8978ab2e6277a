import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { z } from 'zod/mini'
import { apiQuery } from '#app/platform/browser/api.ts'
import { emailSummary } from './emails.ts'

/** Shared with the emails page, so both send one request. */
const COUNTED = 100
/** A mail server that was busy for a moment has accepted the email by then. */
const ATTEMPTS = 3

/** Warns about failed and stuck emails. Renders nothing without failures. */
export function FailedEmails() {
  const failed = useQuery(apiQuery(`/api/letters?state=failed&limit=${COUNTED}`, z.array(emailSummary))).data ?? []
  return (
    <>
      {failed.length > 0 && (
        <Warning to="/dashboard/letters">
          <strong className="text-alarm">{counted(failed.length)} could not be sent.</strong>
        </Warning>
      )}
      <StuckEmails />
    </>
  )
}

/** Warns about a mail server that is away or refuses our login, hours before its emails have finally failed. */
export function StuckEmails() {
  const waiting = useQuery(apiQuery(`/api/letters?state=waiting&attempts=${ATTEMPTS}&limit=${COUNTED}`, z.array(emailSummary))).data ?? []
  if (waiting.length === 0) return null
  return (
    <Warning to="/dashboard/letters?state=waiting">
      <span>
        <strong className="text-alarm">
          {counted(waiting.length)} could not be sent yet, after {ATTEMPTS} attempts or more.
        </strong>{' '}
        {waiting[0]?.reason}
      </span>
    </Warning>
  )
}

function counted(count: number): string {
  if (count === 1) return 'One email'
  return `${count === COUNTED ? `${COUNTED} or more` : count} emails`
}

function Warning({ to, children }: { to: string; children: ReactNode }) {
  return (
    <p className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2 rounded-card border border-l-4 border-line border-l-alarm bg-surface px-5 py-3.5 text-small">
      {children}
      <Link to={to} className="link font-semibold">
        Show them
      </Link>
    </p>
  )
}
