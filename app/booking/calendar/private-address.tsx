import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { apiRequest } from '#app/platform/browser/api.ts'
import { showFailure } from '#app/ui/admin/tell-failure.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { CopyButton } from '#app/ui/copy-button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { toast } from '#app/ui/toast.ts'
import { type ListedHost, privateAddress } from './calendar.ts'
import { hostsQuery, hostUrl } from './use-calendar.tsx'

/** The address under which another calendar program reads the calls. It is shown once. */
export function PrivateAddress({ you }: { you: ListedHost }) {
  const client = useQueryClient()
  const [asking, ask] = useState<'renew' | 'revoke'>()
  const [url, setUrl] = useState<string>()
  const path = `${hostUrl(you.id)}/address`
  const renew = useMutation({
    mutationFn: async () => privateAddress.parse(await (await apiRequest('POST', path)).json()),
    onSuccess: async (created) => {
      ask(undefined)
      setUrl(created.url)
      await client.invalidateQueries(hostsQuery)
    },
    onError: (error) => showFailure('Could not create the address', error),
  })
  const revoke = useMutation({
    mutationFn: () => apiRequest('DELETE', path),
    onSuccess: async () => {
      ask(undefined)
      toast({ title: 'Address revoked' })
      await client.invalidateQueries(hostsQuery)
    },
    onError: (error) => showFailure('Could not revoke the address', error),
  })
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
        <Button
          type="button"
          look="quiet"
          busy={renew.isPending && !asking}
          onClick={() => (you.hasAddress ? ask('renew') : renew.mutate())}
        >
          {you.hasAddress ? 'Replace the address' : 'Create a private address'}
        </Button>
        {you.hasAddress && (
          <Button type="button" look="quiet" onClick={() => ask('revoke')}>
            Revoke
          </Button>
        )}
      </div>
      <ConfirmDialog
        open={asking === 'renew'}
        onClose={() => ask(undefined)}
        onConfirm={() => renew.mutate()}
        title="Replace the private address?"
        confirm="Replace"
        busy={renew.isPending}
      >
        The address that you have now stops working. Subscribe to the new one in your calendar.
      </ConfirmDialog>
      <ConfirmDialog
        open={asking === 'revoke'}
        onClose={() => ask(undefined)}
        onConfirm={() => revoke.mutate()}
        title="Revoke the private address?"
        confirm="Revoke"
        busy={revoke.isPending}
      >
        Calendars that subscribe to it no longer get your calls.
      </ConfirmDialog>
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
