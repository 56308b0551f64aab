package io.kvrouter.http.access;

import io.kvrouter.access.Caller;
import io.kvrouter.access.Keyring;
import io.kvrouter.access.Operator;

/**
 * All keys of a node: those of the API's callers, and those of the management port's operators.
 *
 * @param operated whether the management port asks for a key, be there one or not: whoever writes of operators means it
 *     to, and a node that starts must find the same as one that has been running
 */
public record Keys(Keyring<Caller> callers, Keyring<Operator> operators, boolean operated) {}
