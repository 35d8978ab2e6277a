import { XIcon } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { PostSettings } from './form-fields.tsx'
import type { Desk } from './use-desk.tsx'
import type { PostFormState } from './use-post-form.tsx'

const ID = 'post-settings'

type DeskProps = { desk: Desk }

export function SettingsButton({ desk: { hasSettings, showSettings, isWide } }: DeskProps) {
  const open = isWide
    ? { 'aria-expanded': hasSettings, 'aria-controls': hasSettings ? ID : undefined }
    : { 'aria-haspopup': 'dialog' as const }
  return (
    <Button type="button" look="quiet" size="small" {...open} onClick={() => showSettings(!hasSettings)}>
      Settings
    </Button>
  )
}

/** Everything but the title and the text: beside them, or in a sheet over them. */
export function SettingsPanel({ desk: { hasSettings, showSettings, isWide }, form }: DeskProps & { form: PostFormState }) {
  const close = () => showSettings(false)
  if (!hasSettings) return null
  if (!isWide) {
    return (
      <Dialog
        open
        side
        title="Settings"
        onClose={close}
        actions={
          <Button type="button" onClick={close}>
            Done
          </Button>
        }
      >
        <PostSettings form={form} />
      </Dialog>
    )
  }
  return (
    <aside
      id={ID}
      aria-label="Settings"
      className="sticky top-20 grid max-h-[calc(100dvh-10rem)] gap-5 overflow-y-auto overscroll-contain rounded-card border border-line bg-surface p-5"
    >
      <div className="flex items-center justify-between">
        <h3 className="text-body font-semibold">Settings</h3>
        <button
          type="button"
          aria-label="Close settings"
          onClick={close}
          className="-mr-2 grid size-9 place-items-center rounded-control text-muted hover:text-ink pointer-coarse:size-11"
        >
          <XIcon aria-hidden="true" className="size-4.5" />
        </button>
      </div>
      <PostSettings form={form} />
    </aside>
  )
}

/** Goes to a field by its name, and opens the settings first where it is one of them. */
export function useFieldOpener({ showSettings }: Desk) {
  const wanted = useRef<string>(undefined)
  useEffect(() => {
    const field = wanted.current && document.getElementById(wanted.current)
    if (!field) return
    wanted.current = undefined
    field.focus()
  })
  return (name: string) => {
    const id = `field-${name}`
    const field = document.getElementById(id)
    if (field) return field.focus()
    wanted.current = id
    showSettings(true)
  }
}
