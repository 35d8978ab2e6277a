import { useState } from 'react'
import { apiRequest } from '#app/platform/browser/api.ts'
import { ActionButton, QuestionButton } from '#app/ui/admin/action-button.tsx'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { CopyButton } from '#app/ui/copy-button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { type ListedHost, privateAddress } from './calendar.ts'
import { hostsQuery, hostUrl } from './use-calendar.tsx'

/** The address under which another calendar program reads the calls. It is shown once. */
export function PrivateAddress({ you }: { you: ListedHost }) {
  const [url, setUrl] = useState<string>()
  const path = `${hostUrl(you.id)}/address`
  const touches = hostsQuery.queryKey
  const renew = {
    send: async () => privateAddress.parse(await (await apiRequest('POST', path)).json()),
    failed: 'Could not create the address',
    touches,
    onDone: (created: { url: string }) => setUrl(created.url),
  }
  const revoke = { send: async () => apiRequest('DELETE', path), done: 'Address revoked', failed: 'Could not revoke the address', touches }
  return (
    <Card as="section" aria-labelledby="address" className="grid gap-3">
      <div className="max-w-prose">
        <h2 id="address" className="text-h3">
          Your calls in another calendar
        </h2>
        <p className="text-small text-muted">
          Subscribe to this private address in Google, Outlook or Apple Calendar. Anyone who has it can read your calls.
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        {you.hasAddress ? (
          <>
            <QuestionButton
              action={renew}
              label="Replace the address"
              question="Replace the private address?"
              confirm="Replace"
              pending="Replacing..."
            >
              The address that you have now stops working. Subscribe to the new one in your calendar.
            </QuestionButton>
            <QuestionButton action={revoke} label="Revoke" question="Revoke the private address?" confirm="Revoke" pending="Revoking...">
              Calendars that subscribe to it no longer get your calls.
            </QuestionButton>
          </>
        ) : (
          <ActionButton action={renew} pending="Creating...">
            Create a private address
          </ActionButton>
        )}
      </div>
      {url && <NewAddress url={url} close={() => setUrl(undefined)} />}
    </Card>
  )
}

function NewAddress({ url, close }: { url: string; close: () => void }) {
  return (
    <Dialog
      open
      onClose={close}
      title="Your private address"
      actions={
        <Button type="button" onClick={close}>
          Done
        </Button>
      }
    >
      <div className="grid gap-3 text-small">
        <p>Copy this address now. You won’t be able to see it again.</p>
        <p className="rounded-control bg-sunken p-3 font-mono text-fine wrap-anywhere">{url}</p>
        <div>
          <CopyButton text={url} label="Copy address" />
        </div>
      </div>
    </Dialog>
  )
}
