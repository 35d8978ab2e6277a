import { useRef, useState } from 'react'
import { Button } from './button.tsx'
import { cx } from './class-names.ts'

type FileDropProps = {
  /** The accessible name of the file chooser. */
  label: string
  accept: string
  /** The label of the button. */
  verb: string
  busy?: boolean
  /** A second button chooses a folder. */
  hasFolder?: boolean
  take: (files: FileList | null) => unknown
  /** The accepted files, and the progress. */
  children: React.ReactNode
}

/** A drop area for files, with a button to choose one. */
export function FileDrop({ label, accept, verb, busy = false, hasFolder = false, take, children }: FileDropProps) {
  const [isOver, setOver] = useState(false)
  return (
    // The button accepts the same files as the drop area.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className={cx(
        'grid justify-items-start gap-3 rounded-card border border-dashed px-5 py-5',
        isOver ? 'border-ink bg-sunken' : 'border-edge',
      )}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        take(event.dataTransfer.files)
      }}
    >
      <div className="flex flex-wrap gap-3">
        <Chooser label={label} accept={accept} verb={verb} busy={busy} take={take} />
        {hasFolder && <Chooser label="Folder" verb="Choose a folder" busy={busy} take={take} />}
      </div>
      {children}
    </div>
  )
}

type ChooserProps = Pick<FileDropProps, 'label' | 'verb' | 'busy' | 'take'> & { /** Without it, a folder is chosen. */ accept?: string }

function Chooser({ label, accept, verb, busy = false, take }: ChooserProps) {
  const chooser = useRef<HTMLInputElement>(null)
  // React's types lack this attribute, although all browsers support it.
  const kind: Record<string, string> = accept === undefined ? { webkitdirectory: '' } : { accept }
  return (
    <>
      <input
        {...kind}
        ref={chooser}
        type="file"
        aria-label={label}
        className="sr-only"
        tabIndex={-1}
        onChange={({ target }) => {
          take(target.files)
          // Choosing the same file again must fire a change event.
          target.value = ''
        }}
      />
      <Button type="button" look="quiet" busy={busy} onClick={() => chooser.current?.click()}>
        {verb}
      </Button>
    </>
  )
}
