const answer = await fetch(`${process.env.CROSSVAT_URL}/v1/verify-vat`, {
  method: "POST",
  headers: {
    "Authorization": `Bearer ${process.env.CROSSVAT_KEY}`,
    "Content-Type": "application/json",
  },
  body: JSON.stringify({
    vatNumbers: ["GB999910095", "de 999 991 005", "FR76999992001"],
  }),
  signal: AbortSignal.timeout(35_000),
});

const body = await answer.json();
if (!answer.ok) {
  // The code is stable; with a 503 body.unresolved says what to ask again.
  throw new Error(`${body.code}: ${body.detail}`);
}

for (const result of body.results) {
  console.log(result.vatNumber, result.status, result.businessName ?? "-");
}
