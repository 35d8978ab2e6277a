import { useState } from 'react'
import { Field } from '#app/ui/field.tsx'
import { Input } from '#app/ui/input.tsx'
import { useIsLive } from '#app/ui/use-is-live.ts'

type PasswordFieldProps = {
  label: string
  name: string
  id: string
  error?: string | undefined
  hint?: React.ReactNode
  /** Tells password managers whether it is a current or a new password. */
  autoComplete: 'current-password' | 'new-password'
}

/** The requirements of a new password, shown before it is typed, with the recommendation for an owner. */
export const passwordHint = (leastLength: number, advised?: number) =>
  advised
    ? `At least ${leastLength} characters. We recommend ${advised}+ for the owner.`
    : `At least ${leastLength} characters; longer is better.`

/** A password field with a button that shows the password. The button appears only on a live page. */
export function PasswordField({ autoComplete, ...field }: PasswordFieldProps) {
  const [shown, setShown] = useState(false)
  return (
    <Field {...field}>
      <PasswordInput label={field.label} shown={shown} onToggle={() => setShown(!shown)} autoComplete={autoComplete} />
    </Field>
  )
}

type PasswordInputProps = Pick<PasswordFieldProps, 'label' | 'autoComplete'> & { shown: boolean; onToggle: () => void }

function PasswordInput({ label, shown, onToggle, autoComplete }: PasswordInputProps) {
  const isLive = useIsLive()
  return (
    <span className="relative block">
      <Input
        type={shown ? 'text' : 'password'}
        autoComplete={autoComplete}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        className="pr-12"
      />
      <button
        type="button"
        onClick={onToggle}
        hidden={!isLive}
        aria-label={`${shown ? 'Hide' : 'Show'} ${label.toLowerCase()}`}
        className="absolute inset-y-0 right-0 grid w-11 place-items-center rounded-control text-muted hover:text-ink"
      >
        <svg viewBox="0 0 20 20" aria-hidden="true" className="size-5 fill-none stroke-current stroke-[1.5] [stroke-linecap:round]">
          <path d="M1.5 10S4.5 4 10 4s8.5 6 8.5 6-3 6-8.5 6-8.5-6-8.5-6Z" />
          <circle cx="10" cy="10" r="2.5" />
          {shown && <path d="m3 17 14-14" />}
        </svg>
      </button>
    </span>
  )
}
