import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { countCharacters } from '#app/ui/character-count.tsx'
import { cx } from '#app/ui/class-names.ts'
import { useFieldControl } from '#app/ui/field.tsx'
import { PreviewPane, usePreview } from './preview-pane.tsx'
import { Toolbar } from './toolbar.tsx'
import { useCodeEditor } from './use-code-editor.tsx'
import { PictureChooser } from './picture-chooser.tsx'
import { type MarkdownCommand, pictureCommand } from './markdown-command.ts'

type MarkdownEditorProps = { label: string; most: number; value: string; onChange: (text: string) => void }

/** Text, preview, or both side by side; on small screens one of them at a time. Must be inside a `Field`. */
export function MarkdownEditor({ label, most, value, onChange }: MarkdownEditorProps) {
  const { id, name, ...aria } = useFieldControl()
  const [shown, setShown] = useState<View>(() => (matchMedia('(width < 64rem)').matches ? 'text' : 'both'))
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
        <Shown value={shown} onChange={setShown} />
      </Toolbar>
      <div
        className={cx('grid h-[max(26rem,min(70vh,48rem))] grid-cols-1', shown === 'both' && 'lg:grid-cols-2 lg:divide-x lg:divide-line')}
      >
        <div ref={frame} className={cx('min-h-0 min-w-0 overflow-hidden', shown === 'preview' && 'hidden')}>
          {!editor.isReady && (
            <textarea
              ref={plain}
              id={id}
              name={name}
              aria-label={label}
              {...aria}
              value={value}
              onChange={(event) => onChange(event.target.value)}
              className="block size-full resize-none bg-surface px-4 py-3.5 font-mono text-small leading-relaxed focus-visible:-outline-offset-2"
            />
          )}
        </div>
        <PreviewPane
          content={value}
          preview={preview}
          className={cx('min-h-0', shown !== 'preview' && (shown === 'both' ? 'max-lg:hidden' : 'hidden'))}
        />
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
  return `${words.toLocaleString('en')} ${words === 1 ? 'word' : 'words'}, ${readingMinutes} min read`
}

/** Converts ARIA props to strings, as DOM attributes need them. */
function textsOf(aria: Record<string, string | boolean | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(aria).flatMap(([name, value]) => (value ? [[name, String(value)]] : [])))
}

type View = 'text' | 'both' | 'preview'

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
