import { useQuery } from '@tanstack/react-query'
import type { Handle } from '#app/access.server.ts'
import { accountHead } from '#app/account/settings/page-title.ts'
import { apiQuery } from '#app/platform/browser/api.ts'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { notificationPreferences, PREFERENCES } from './preference.ts'
import { PreferencesForm } from './preferences-form.tsx'
import { PushSection, usePushState } from './push-section.tsx'

export const handle = { access: 'workspace.enter' } satisfies Handle

export const meta = () => accountHead('Notifications')

export default function PreferencesPage() {
  const preferences = useQuery(apiQuery(PREFERENCES, notificationPreferences))
  // Together, so that what is below the first part does not move.
  const push = usePushState(preferences.data?.devices)
  return (
    <div className="grid grid-cols-1 gap-6">
      {(preferences.isPending || (preferences.data && push.isPending)) && (
        <div>
          <Loading>Loading your preferences...</Loading>
          <Skeleton lines={10} />
        </div>
      )}
      {preferences.isError && <Failed error={preferences.error} retry={preferences.refetch} />}
      {preferences.data && !push.isPending && (
        <>
          <PushSection preferences={preferences.data} />
          <PreferencesForm preferences={preferences.data} />
        </>
      )}
    </div>
  )
}
