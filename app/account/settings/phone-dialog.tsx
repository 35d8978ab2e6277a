import { type SubmitEvent, useState } from 'react'
import { requestFactorRemoval } from '#app/account/session/factor-auth.ts'
import { beginPhone } from '#app/account/session/phone-factor-auth.ts'
import { phoneNumber } from '#app/auth/protocol/phone-number.ts'
import { phoneRefusal } from '#app/account/sign-in/phone-mfa.ts'
import { SendAgain } from '#app/account/sign-in/send-again.tsx'
import { usePhoneCode } from '#app/account/sign-in/use-phone-code.tsx'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Field } from '#app/ui/field.tsx'
import { Input } from '#app/ui/input.tsx'
import { CodeDialog } from './code-dialog.tsx'
import { type EnrolDialogProps, useFirstCodes } from './use-first-codes.tsx'

/** Non-breaking spaces keep it on one line. */
const EXAMPLE = '+44\u00a07700\u00a0900123'

const number = phoneNumber(`Enter the full number with its country code, such as ${EXAMPLE}`)

type PhoneDialogProps = EnrolDialogProps & { /** Seconds between two messages. */ pauseSeconds: number }

/** Takes a number, sends it a code, and asks for the code, which verifies the phone. Closing earlier changes nothing. */
export function PhoneDialog(props: PhoneDialogProps) {
  const { begun, code, codes, isChanging, change, leave, leaveDone, submitNumber, submitCode } = usePhoneEnrolment(props)
  if (codes) return <CodeDialog codes={codes} close={leaveDone} />
  const isAsking = begun !== undefined && code.challengeId !== undefined && !isChanging
  const actions = (
    <>
      <Button type="button" look="quiet" onClick={leave}>
        Cancel
      </Button>
      <Button form="enrol-phone" busy={code.busy !== undefined}>
        {isAsking ? (code.busy === 'checking' ? 'Checking...' : 'Turn on') : code.busy ? 'Sending...' : 'Send a code'}
      </Button>
    </>
  )
  return (
    <Dialog open onClose={leave} title="Codes by text message" actions={actions}>
      {isAsking ? (
        <div className="grid gap-5">
          <form method="post" id="enrol-phone" noValidate className="grid gap-5" onSubmit={submitCode}>
            <p role="status" className="text-small text-muted">
              We sent a code to <span className="font-mono whitespace-nowrap text-ink">+{begun.phone}</span>.
            </p>
            <Field label="Code" name="code" error={code.error}>
              <Input inputMode="numeric" autoComplete="one-time-code" className="font-mono tracking-widest" />
            </Field>
          </form>
          <div className="flex flex-wrap gap-3">
            <SendAgain
              type="button"
              size="small"
              waitUntil={code.waitUntil}
              busy={code.busy === 'sending'}
              onClick={() => void code.send(begun.id)}
            />
            <Button type="button" look="quiet" size="small" onClick={change}>
              Use another number
            </Button>
          </div>
        </div>
      ) : (
        <form method="post" id="enrol-phone" noValidate className="grid gap-5" onSubmit={submitNumber}>
          <p className="text-small text-muted">
            When you sign in, we send a code to this phone. An authenticator app is safer: attackers can take over a phone number.
          </p>
          <Field label="Phone number" name="phone" error={code.error} hint={`Include the country code, such as ${EXAMPLE}.`}>
            <Input type="tel" inputMode="tel" autoComplete="tel" defaultValue={begun && `+${begun.phone}`} className="font-mono" />
          </Field>
        </form>
      )}
    </Dialog>
  )
}

type Begun = { id: string; phone: string }

function usePhoneEnrolment({ pauseSeconds, ...props }: PhoneDialogProps) {
  const [begun, setBegun] = useState<Begun>()
  const [isChanging, setChanging] = useState(false)
  const code = usePhoneCode({ pauseSeconds })
  const { counts, codes, finish, leaveDone } = useFirstCodes(props)

  async function begin(typed: string) {
    const read = number.safeParse(typed)
    if (!read.success) return code.setError(read.error.issues[0]?.message)
    // A phone with a pending code gets no second one for a while.
    if (begun?.phone === read.data && code.challengeId) return change(false)
    const id = begun?.phone === read.data ? begun.id : await enrol(read.data)
    if (id) await code.send(id)
    setChanging(false)
  }

  async function enrol(phone: string): Promise<string | undefined> {
    if (begun) await requestFactorRemoval(begun.id)
    code.forget()
    const { factorId: id, failure } = await beginPhone(phone)
    setBegun(id ? { id, phone } : undefined)
    code.setError(failure && phoneRefusal(failure))
    return id
  }

  function change(isOn: boolean) {
    code.setError(undefined)
    setChanging(isOn)
  }

  async function check(typed: string, field: HTMLInputElement) {
    if (!begun) return
    if (await code.answer(begun.id, typed)) await finish()
    else field.select()
  }

  async function giveUp() {
    if (counts) return
    props.close()
    if (begun) await requestFactorRemoval(begun.id)
  }

  return {
    begun,
    code,
    codes,
    leaveDone,
    leave: () => void giveUp(),
    isChanging,
    change: () => change(true),
    submitNumber: withField('phone', (typed) => void begin(typed)),
    submitCode: withField('code', (typed, field) => void check(typed, field)),
  }
}

/** A submit handler that passes the value of one field to `work`. */
function withField(name: string, work: (typed: string, field: HTMLInputElement) => void) {
  return (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const field = event.currentTarget.elements.namedItem(name)
    if (field instanceof HTMLInputElement) work(field.value, field)
  }
}
