// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// A token that anybody may make more of.
contract TestToken is ERC20("Test dollar", "TUSD") {
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }
}
