import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { z } from 'zod/mini'
import { FACTORS, type OwnFactor, ownFactor } from './own-factor.ts'
import { verifyMfa } from './factor-auth.ts'
import { passWithSecurityKey } from './passkey-auth.ts'
import { passWithPhoneCode, requestPhoneCode } from './phone-factor-auth.ts'
import { orThrow } from './session-over.ts'
import { apiRequest, ApiError } from '#app/platform/browser/api.ts'
import { Button } from '#app/ui/button.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Field } from '#app/ui/field.tsx'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { useAction } from '#app/ui/admin/use-action.ts'
import { useForm } from '#app/ui/admin/use-form.ts'
import { Input } from '#app/ui/input.tsx'
import { Loading } from '#app/ui/loading.tsx'

const CONFIRMATION = '/api/account/confirmation'

const waysAnswer = z.object({ secondStep: z.boolean(), password: z.boolean(), code: z.nullable(z.enum(['email', 'phone'])) })

/** One method to confirm. `send` sends a code first where needed; its result goes into the check of the typed code. */
type Way = {
  label: string
  field: string
  hint?: string
  secret?: boolean
  send?: () => Promise<string>
  /** Confirms without typing. */
  prove?: () => Promise<unknown>
  check: (typed: string, sent: string) => Promise<unknown>
}

/** Asks how the person wants to confirm, and checks it. `close` gets whether it succeeded. */
export function IdentityDialog({ close }: { close: (confirmed: boolean) => void }) {
  const ways = useQuery({ queryKey: [CONFIRMATION], queryFn: findWays, gcTime: 0 })
  const [begun, setBegun] = useState<{ way: Way; sent: string }>()
  const begin = useAction({
    async send(way: Way) {
      await way.prove?.()
      return { way, sent: (await way.send?.()) ?? '' }
    },
    onDone: (done) => (done.way.prove ? close(true) : setBegun(done)),
    failed: 'Not confirmed',
    // The dialog shows it.
    onRefused: () => true,
    touches: [],
  })
  const first = ways.data?.[0]
  // A method that costs a message, or opens a browser dialog, starts only on request.
  const { way, sent } = begun ?? { way: first?.send || first?.prove ? undefined : first, sent: '' }
  const form = useForm({
    schema: z.object({ proof: z.string().check(z.trim(), z.minLength(1, `${way?.field} is required`)) }),
    send: async ({ proof }) => way?.check(proof, sent),
    explain: ({ detail }) => ({ proof: detail }),
    failed: 'Not confirmed',
    onDone: () => close(true),
  })
  return (
    <FormDialog
      form={{ ...form, isChanged: false, isSaving: form.isSaving || begin.isPending }}
      onClose={() => close(false)}
      title="Confirm it’s you"
      submit="Confirm"
      pending={form.isSaving ? 'Checking...' : 'Confirm'}
      unavailable={way ? undefined : 'Choose how to confirm first.'}
    >
      {ways.isPending && <Loading>Loading...</Loading>}
      {ways.isError && <Failed error={ways.error} retry={ways.refetch} />}
      {ways.data && <p className="text-muted">This change affects who can use your account. Your confirmation lasts 15 minutes.</p>}
      {ways.data?.length === 0 && <p>Sign out and sign in again, then make the change within 15 minutes.</p>}
      {way && <ProofField key={way.label} way={way} />}
      {begin.error && (
        <p role="alert" className="text-alarm">
          {wordsOf(begin.error)}
        </p>
      )}
      <Others ways={ways.data?.filter((other) => other.label !== way?.label) ?? []} choose={begin.mutate} busy={begin.isPending} />
    </FormDialog>
  )
}

function ProofField({ way: { field, hint, secret } }: { way: Way }) {
  const place = useRef<HTMLDivElement>(null)
  // The field appears once the methods are known, after the dialog has taken the focus.
  useEffect(() => place.current?.querySelector('input')?.focus(), [])
  return (
    <div ref={place}>
      <Field label={field} name="proof" {...(hint && { hint })}>
        {secret ? (
          <Input type="password" autoComplete="current-password" />
        ) : (
          <Input inputMode="numeric" autoComplete="one-time-code" className="font-mono tracking-widest" />
        )}
      </Field>
    </div>
  )
}

function Others({ ways, choose, busy }: { ways: Way[]; choose: (way: Way) => void; busy: boolean }) {
  if (ways.length === 0) return null
  return (
    <div className="flex flex-wrap gap-3">
      {ways.map((way) => (
        <Button key={way.label} type="button" look="quiet" size="small" busy={busy} onClick={() => choose(way)}>
          {way.label}
        </Button>
      ))}
    </div>
  )
}

async function findWays(): Promise<Way[]> {
  const { secondStep, password, code } = waysAnswer.parse(await (await apiRequest('GET', CONFIRMATION)).json())
  if (secondStep) return z.parse(z.array(ownFactor), await (await apiRequest('GET', FACTORS)).json()).map(wayOfFactor)
  return [...(password ? [byPassword] : []), ...(code ? [byCode(code)] : [])]
}

const byPassword: Way = {
  label: 'Use your password',
  field: 'Password',
  secret: true,
  check: (password) => apiRequest('POST', CONFIRMATION, { password }),
}

const byCode = (to: 'email' | 'phone'): Way => ({
  label: to === 'email' ? 'Send a code by email' : 'Send a code by text message',
  field: 'Code',
  hint: `We sent it to your ${to === 'email' ? 'email address' : 'phone'}.`,
  send: async () => {
    await apiRequest('POST', `${CONFIRMATION}/code`)
    return ''
  },
  check: (code) => apiRequest('POST', CONFIRMATION, { code }),
})

function wayOfFactor({ id, name, kind, phone }: OwnFactor): Way {
  if (kind === 'key') {
    const prove = () => orThrow(passWithSecurityKey(id))
    return { label: `Use ${name}`, field: name, prove, check: prove }
  }
  if (!phone) {
    return { label: `Use ${name}`, field: `Code from ${name}`, check: (code) => orThrow(verifyMfa(id, code.replaceAll(' ', ''))) }
  }
  return {
    label: `Send a code to ${phone}`,
    field: 'Code',
    hint: `We sent it to ${phone}.`,
    async send() {
      const { challengeId, failure } = await requestPhoneCode(id)
      if (!challengeId) throw new Error(failure?.message ?? 'The message could not be sent')
      return challengeId
    },
    check: (code, challengeId) => orThrow(passWithPhoneCode({ factorId: id, challengeId, code: code.replaceAll(' ', '') })),
  }
}

function wordsOf(error: Error): string {
  return error instanceof ApiError ? error.detail : error.message
}
