import { apiRequest } from '#app/platform/browser/api.ts'
import { formatLongDay } from '#app/ui/moment.ts'
import type { OwnAccount } from './account.ts'
import { AccountSection } from './account-section.tsx'
import { Removal } from './removal.tsx'

type MadeBefore = NonNullable<OwnAccount['madeBefore']>

/** Accounts, keys and webhooks from before a recovery. A new password does not end them, and another person may have made them. */
export function MadeBeforeSection({ madeBefore: { at, invited, keys, webhooks } }: { madeBefore: MadeBefore }) {
  return (
    <AccountSection
      id="made-before"
      title="Made before your new password"
      intro={`You chose a new password by email on ${formatLongDay(at)}. These were made before that and still work. Remove any that you don’t recognize.`}
    >
      <ul className="divide-y divide-line border-y border-line">
        {invited.map(({ id, email }) => (
          <Made key={id} kind="Invited account" name={email} url={`/api/admin/users/${id}`}>
            The account and its access end immediately.
          </Made>
        ))}
        {keys.map(({ id, name, prefix }) => (
          <Made key={id} kind="API key" name={`${name} (${prefix}…)`} url={`/api/keys/${id}`}>
            Programs that use the key lose access immediately.
          </Made>
        ))}
        {webhooks.map(({ id, label }) => (
          <Made key={id} kind="Webhook" name={label} url={`/api/webhooks/${id}`}>
            It receives no further messages.
          </Made>
        ))}
      </ul>
    </AccountSection>
  )
}

function Made({ kind, name, url, children }: { kind: string; name: string; url: string; children: string }) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-3 text-small">
      <span className="font-semibold">{kind}</span>
      <span className="mr-auto min-w-0 break-words text-muted">{name}</span>
      <Removal name={name} remove={() => removeAt(url)} done={`${name} removed`}>
        {children}
      </Removal>
    </li>
  )
}

async function removeAt(url: string) {
  await apiRequest('DELETE', url)
  return {}
}
