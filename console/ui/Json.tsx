/** A record as the API returns it, folded. */
export function Json({ record }: { record: unknown }) {
  return (
    <details class="json">
      <summary>JSON</summary>
      <pre tabIndex={0}>{JSON.stringify(record, null, 2)}</pre>
    </details>
  )
}
