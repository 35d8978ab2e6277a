import { use } from 'react'
import { Button, type ButtonProps } from './button.tsx'
import { FormContext } from './field.tsx'

/** The button of a `Form`: it is busy from the press until the server has answered. */
export function SubmitButton({ pending = 'Saving...', children, ...rest }: Omit<ButtonProps, 'busy' | 'type'> & { pending?: string }) {
  const { isSaving } = use(FormContext)
  return (
    <Button {...rest} busy={isSaving}>
      {isSaving ? pending : children}
    </Button>
  )
}
