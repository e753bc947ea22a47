/** What is made of something that rarely changes is made once for each of its versions. */
export function whileSame<From, To>(source: () => From, make: (from: From) => To): () => To {
  let last: { readonly from: From; readonly made: To } | undefined
  return () => {
    const from = source()
    if (last?.from !== from) last = { from, made: make(from) }
    return last.made
  }
}
