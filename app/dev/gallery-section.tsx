/** A section of the gallery. */
export function GallerySection({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section aria-label={title} className="grid grid-cols-1 gap-6 border-t border-line pt-6">
      <h2 className="eyebrow tracking-normal">{title}</h2>
      {children}
    </section>
  )
}
