import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { countCharacters } from '#app/ui/character-count.tsx'
import { cx } from '#app/ui/class-names.ts'
import { countOf } from '#app/ui/amount.ts'
import { useFieldControl } from '#app/ui/field.tsx'
import { toast } from '#app/ui/toast.ts'
import { numberText } from '#app/platform/text/english-number.ts'
import { PreviewPane, usePreview } from './preview-pane.tsx'
import { Toolbar } from './toolbar.tsx'
import { useCodeEditor } from './use-code-editor.tsx'
import { PictureChooser } from './picture-chooser.tsx'
import { type MarkdownCommand, pictureCommand } from './markdown-command.ts'
import type { Desk, View } from './use-desk.tsx'

type MarkdownEditorProps = { label: string; most: number; value: string; onChange: (text: string) => void; desk: Desk }

/** Text, preview, or both side by side. Must be inside a `Field`. */
export function MarkdownEditor({ label, most, value, onChange, desk: { view, setView } }: MarkdownEditorProps) {
  const { id, name, ...aria } = useFieldControl()
  const [insertion, setInsertion] = useState<{ files: File[] }>()
  const whole = useRef<HTMLDivElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  const plain = useRef<HTMLTextAreaElement>(null)
  const preview = usePreview(value)
  const count = countCharacters(value, most)
  const editor = useCodeEditor(
    {
      value,
      onChange,
      attributes: { id, 'aria-label': label, role: 'textbox', 'aria-multiline': 'true', ...textsOf(aria) },
      onLeave: () => whole.current?.querySelector<HTMLElement>('[role=toolbar] [tabindex="0"]')?.focus(),
      onPicture: () => setInsertion({ files: [] }),
      onPicturesLeft: (left) =>
        toast({ title: `${countOf(left, 'picture', 'pictures')} not pasted`, description: 'Upload your own with the image tool.' }),
      onFiles(files) {
        const pictures = files.filter(({ type }) => type.startsWith('image/'))
        if (pictures.length > 0) setInsertion({ files: pictures })
        return pictures.length > 0
      },
    },
    { frame, plain },
  )
  return (
    <div ref={whole} className={cx('rounded-control border bg-surface', aria['aria-invalid'] ? 'border-alarm' : 'border-edge')}>
      <Toolbar controls={id} run={editor.run} onPicture={() => setInsertion({ files: [] })}>
        <Shown value={view} onChange={setView} />
      </Toolbar>
      <div className={cx('grid h-[max(22rem,calc(100dvh-19rem))] grid-cols-1', view === 'both' && 'grid-cols-2 divide-x divide-line')}>
        <div ref={frame} className={cx('relative min-h-0 min-w-0 overflow-hidden', view === 'preview' && 'hidden')}>
          {/* Over the place of the editor, which would move when the field goes. */}
          {!editor.isReady && (
            <textarea
              ref={plain}
              id={id}
              name={name}
              aria-label={label}
              {...aria}
              value={value}
              onChange={(event) => onChange(event.target.value)}
              className="absolute inset-0 z-1 block size-full resize-none bg-surface px-[max(1rem,calc((100%-44rem)/2))] py-3.5 text-[1.0625rem] leading-[1.65] focus-visible:-outline-offset-2"
            />
          )}
        </div>
        <PreviewPane content={value} preview={preview} className={cx('min-h-0', view === 'text' && 'hidden')} />
      </div>
      <p role="status" className="border-t border-line bg-sunken px-4 py-1.5 font-mono text-fine text-muted">
        {value.trim() && preview.data ? countsOf(preview.data) : '0 words'}
        {count && `, ${count.text}`}
      </p>
      {insertion && <PictureTool files={insertion.files} run={editor.run} close={() => setInsertion(undefined)} />}
    </div>
  )
}

function countsOf({ words, readingMinutes }: { words: number; readingMinutes: number }): string {
  return `${numberText(words)} ${words === 1 ? 'word' : 'words'}, ${readingMinutes} min read`
}

/** Converts ARIA props to strings, as DOM attributes need them. */
function textsOf(aria: Record<string, string | boolean | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(aria).flatMap(([name, value]) => (value ? [[name, String(value)]] : [])))
}

const viewLabels = { text: 'Write', both: 'Side by side', preview: 'Preview' } as const

/** On small screens, side by side shows the text alone, so the button for it is hidden. */
function Shown({ value, onChange }: { value: View; onChange: (value: View) => void }) {
  return (
    <div role="group" aria-label="Shown" className="flex shrink-0">
      {(['text', 'both', 'preview'] as const).map((each) => (
        <button
          key={each}
          type="button"
          aria-pressed={value === each}
          onClick={() => onChange(each)}
          className={cx(
            each === 'both' && 'max-lg:hidden',
            'min-h-9 rounded-control px-3 text-small font-semibold text-muted aria-pressed:bg-surface aria-pressed:text-ink pointer-coarse:min-h-11',
          )}
        >
          {viewLabels[each]}
        </button>
      ))}
    </div>
  )
}

type PictureToolProps = {
  /** Dropped or pasted images, in order; empty to choose from the library. */
  files: File[]
  run: (command: MarkdownCommand) => void
  close: () => void
}

/** Inserts images at the cursor. Each needs alt text first. */
function PictureTool({ files, run, close }: PictureToolProps) {
  const [at, setAt] = useState(0)
  return (
    <PictureChooser
      key={at}
      file={files[at]}
      onClose={close}
      onPick={(picture) => {
        // The editor can take the focus only after the dialog has closed.
        flushSync(() => (at + 1 < files.length ? setAt(at + 1) : close()))
        run(pictureCommand(picture))
      }}
    />
  )
}
