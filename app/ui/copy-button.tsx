import type { ButtonSize } from './button-look.ts'
import { Button } from './button.tsx'
import { toast } from './toast.ts'

type CopyButtonProps = { text: string; label: string; size?: ButtonSize; onCopied?: () => void }

export function CopyButton({ text, label, size = 'small', onCopied }: CopyButtonProps) {
  return (
    <Button type="button" look="quiet" size={size} onClick={() => void copy(text, onCopied)}>
      {label}
    </Button>
  )
}

/** Some browsers refuse only now. */
async function copy(text: string, onCopied?: () => void) {
  try {
    await navigator.clipboard.writeText(text)
    onCopied?.()
    toast({ title: 'Copied' })
  } catch {
    toast({ title: 'Not copied', description: 'Your browser does not allow it. Please mark and copy it yourself.', look: 'danger' })
  }
}
