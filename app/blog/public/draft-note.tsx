/** Marks a page as not public yet. */
export function DraftNote({ title, text }: { title: string; text: string }) {
  return (
    <p role="note" className="rounded-card border border-edge bg-grain-wash p-4 text-small text-ink print:hidden">
      <strong>{title}.</strong> {text}
    </p>
  )
}
