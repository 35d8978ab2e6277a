import type { ButtonSize } from './button-look.ts'
import { Button } from './button.tsx'
import { toast } from './toast.ts'

export function CopyButton({ text, label, size = 'small' }: { text: string; label: string; size?: ButtonSize }) {
  return (
    <Button type="button" look="quiet" size={size} onClick={() => void copy(text)}>
      {label}
    </Button>
  )
}

/** Some browsers refuse only now. */
async function copy(text: string) {
  try {
    await navigator.clipboard.writeText(text)
    toast({ title: 'Copied' })
  } catch {
    toast({ title: 'Not copied', description: 'Your browser does not allow it. Please mark and copy it yourself.', look: 'danger' })
  }
}
