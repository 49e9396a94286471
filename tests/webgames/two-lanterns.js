note("P8", (await app.count({ css: "#menu button" })) === 3, null);
await app.click(button("Join a room"));
await app.fill({ role: "textbox" }, "nowhere");
let step = await app.click(button("Join"));
note("P4", (await see()).includes("There is no room nowhere"), step);
await app.click({ text: "Back" });
await app.click(button("New room"));
await app.fill({ role: "textbox" }, "harbour");
step = await app.click(button("Create"));
note("P1", (await see()).includes("Room harbour: waiting"), step);
//// open_session kind tab
//// script Moon joins and tries to move out of turn
await app.click(button("Join a room"));
await app.fill({ role: "textbox" }, "harbour");
let step = await app.click(button("Join"));
note("P2 entry", (await see()).includes("You are Moon") && (await see()).includes("Sun is to move"), step);
step = await app.click({ css: "#board button", nth: 8 });
const dark = (await app.readAll({ css: "#board button" })).every((one) => !one.text);
note("rules P5", dark && (await see()).includes("It is not your turn"), step);
//// change_session session 1
//// script Sun begins
let step = await app.click({ css: "#board button", nth: 0 });
const lit = (await app.readAll({ css: "#board button" })).map((one) => one.text || ".").join();
note("input P3 P11", lit.startsWith("Sun,.") && (await see()).includes("You are Sun"), step);
step = await app.click({ css: "#board button", nth: 0 });
note("P6", (await app.read({ css: "#board button", nth: 0 })).text === "Sun", step);
//// change_session session 2
//// script Moon answers
const before = (await app.readAll({ css: "#board button" })).map((one) => one.text || ".");
let step = await app.click({ css: "#board button", nth: 3 });
note("state P10", before[0] === "Sun" && before.filter((one) => one !== ".").length === 1, step);
const after = (await app.readAll({ css: "#board button" })).map((one) => one.text || ".");
const changed = [...after.keys()].filter((i) => after[i] !== before[i]).join();
note("mapping P9", changed === "3", step, { aimed_at: "row 2, column 1", took_effect_at: `place ${changed} counted from 0` });
step = await app.reload();
note("P12", (await see()).includes("You are Moon") && (await app.read({ css: "#board button", nth: 3 })).text === "Moon", step);
//// change_session session 1
//// script Sun goes on
const seen = await app.read({ css: "#board button", nth: 3 });
let step = await app.click({ css: "#board button", nth: 1 });
note("P10 mapping P9", seen.text === "Moon", step, { aimed_at: "row 2, column 1", took_effect_at: "row 2, column 1 of the other window" });
//// change_session session 2
//// script Moon goes on
await app.click({ css: "#board button", nth: 4 });
//// change_session session 1
//// script Sun wins
let step = await app.click({ css: "#board button", nth: 2 });
note("P7 ending P13", (await see()).includes("Sun wins.") && (await see()).includes("Sun 1, Moon 0"), step);
//// change_session session 2
//// script Moon sees the settlement and plays again
const told = await see();
let step = await app.click(button("Play again"));
note("ending P13", told.includes("Sun wins.") && told.includes("Sun 1, Moon 0"), step);
note("restart P14", (await see()).includes("Your turn."), step);
//// change_session session 1
//// script Sun leaves
const told = await see();
let step = await app.click({ css: "#play .leave" });
note("restart P14", told.includes("Moon is to move.") && told.includes("You are Sun"), step);
//// change_session session 2
//// script Moon is told
const told = await see();
let step = await app.click(button("Rules"));
note("P15", told.includes("The other player has left."), step);
