import { createMemoryArchive } from "../../src/archive/memory-archive.ts";
import { archiveContract } from "./archive-contract.ts";

archiveContract("memory", async () => createMemoryArchive());
