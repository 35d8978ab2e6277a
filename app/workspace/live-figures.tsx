import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { LiveBadge, useLiveLeads } from '#app/leads/dashboard/live-leads.tsx'
import { useRefreshLeads } from '#app/leads/dashboard/use-lead-actions.tsx'
import { apiQuery } from '#app/platform/browser/api.ts'
import { workspaceHome } from './workspace.ts'

/** Refreshes the staff home while it is open, and shows whether the connection is live. */
export function LiveFigures() {
  const { data: home } = useQuery(apiQuery('/api/workspace', workspaceHome))
  const data = home?.view === 'staff' ? home : undefined
  useRefreshIn(data?.overdue.nextInSeconds)
  return <LiveBadge live={useLiveLeads(data?.lastDay.newest)} />
}

/** A deadline that passes is not an event of the server, so the data is reloaded at that time. */
function useRefreshIn(seconds: number | null | undefined) {
  const refresh = useRefreshLeads()
  const ask = useEffectEvent(() => void refresh())
  useEffect(() => {
    if (seconds === null || seconds === undefined) return
    const timer = setTimeout(ask, (seconds + 1) * 1000)
    return () => clearTimeout(timer)
  }, [seconds])
}
