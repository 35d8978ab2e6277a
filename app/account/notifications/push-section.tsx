import { useQuery } from '@tanstack/react-query'
import { AccountSection } from '#app/account/settings/account-section.tsx'
import { apiRequest } from '#app/platform/browser/api.ts'
import { ActionButton } from '#app/ui/admin/action-button.tsx'
import { Badge } from '#app/ui/badge.tsx'
import { formatMoment } from '#app/ui/moment.ts'
import { PREFERENCES, PUSH_DEVICES, type NotificationPreferences, type PushDevice } from './preference.ts'
import { type PushState, readPushState, turnPushOff, turnPushOn } from './push-browser.ts'

const texts: Record<PushState, string> = {
  unsupported: 'This browser can’t show notifications from this site. On an iPhone or iPad, add the site to the home screen first.',
  denied: 'Notifications from this site are blocked in this browser. Allow them in its site settings, then reload the page.',
  off: 'This browser doesn’t show notifications.',
  on: 'This browser shows notifications, also when the workspace is closed.',
}

const badges = {
  unsupported: ['Not supported', 'plain'],
  denied: ['Blocked', 'alarm'],
  off: ['Off', 'plain'],
  on: ['On', 'leaf'],
} as const

/** Whether this browser shows notifications, once the devices of the account are known. */
export function usePushState(devices: readonly PushDevice[] | undefined) {
  return useQuery({
    queryKey: ['push-state', devices?.map(({ id }) => id).join()],
    queryFn: async () => readPushState(devices ?? []),
    enabled: devices !== undefined,
    staleTime: 0,
  })
}

/** Turns push on and off in this browser, and off in others. */
export function PushSection({ preferences: { devices, publicKey } }: { preferences: NotificationPreferences }) {
  const browser = usePushState(devices)
  const change = (own: PushDevice | undefined) => ({
    send: async (): Promise<PushState> => {
      if (!own) return turnPushOn(publicKey)
      await turnPushOff(own)
      return 'off'
    },
    done: (state: PushState) => {
      if (state === 'on') return 'Notifications are on in this browser'
      if (own) return 'Notifications are off in this browser'
      return { title: 'Notifications stay off', description: 'The browser did not allow them.' }
    },
    failed: 'Not changed',
    unheard: 'The browser could not reach its push service. Please try again.',
    touches: [PREFERENCES, 'push-state'],
  })
  const { state, own } = browser.data ?? {}
  return (
    <AccountSection id="push" title="Push notifications" intro="Only in this browser. They end when you sign out.">
      {state && (
        <div className="grid justify-items-start gap-3">
          <p className="flex items-center gap-3 text-small">
            <Badge look={badges[state][1]}>{badges[state][0]}</Badge>
            <span role="status">{texts[state]}</span>
          </p>
          {(state === 'on' || state === 'off') && (
            <ActionButton action={change(own)}>{state === 'on' ? 'Turn off in this browser' : 'Turn on in this browser'}</ActionButton>
          )}
        </div>
      )}
      {browser.isError && <p className="text-small text-alarm">The state of this browser can’t be read. Reload the page.</p>}
      <OtherDevices devices={devices.filter(({ id }) => id !== own?.id)} />
    </AccountSection>
  )
}

function OtherDevices({ devices }: { devices: PushDevice[] }) {
  if (devices.length === 0) return null
  return (
    <ul className="divide-y divide-line border-y border-line">
      {devices.map(({ id, device, createdAt, lastSentAt }) => (
        <li key={id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3 text-small">
          <span className="grid">
            <span className="font-semibold">{device}</span>
            <span className="text-muted">
              since {formatMoment(createdAt)}
              {lastSentAt && ` · last message ${formatMoment(lastSentAt)}`}
            </span>
          </span>
          <ActionButton action={turnOff(id)} size="small" aria-label={`Turn off in ${device}`}>
            Turn off
          </ActionButton>
        </li>
      ))}
    </ul>
  )
}

const turnOff = (id: string) => ({
  send: async () => apiRequest('DELETE', `${PUSH_DEVICES}/${id}`),
  done: 'Notifications are off in that browser',
  failed: 'Not changed',
  touches: [PREFERENCES],
})
